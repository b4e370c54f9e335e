/**
 * Matches the endings of program and configuration files, in any case. Where such programs do not run, their source would be served as it
 * is, with passwords. Includes backup copies of editors and people, and characters that some file systems ignore at the end of a name.
 *
 * A regular expression for both JavaScript and nginx, so that all servers refuse the same files.
 */
export const PROGRAM_ENDING =
  String.raw`\.(?:php\w*|phtml|phar|pht|inc|asp|aspx|ascx|ashx|asmx|jsp|jspx|cfm|cgi|fcgi|pl|py|rb|lua|sh|bash|bat|cmd|ps1|vbs|env)` +
  String.raw`(?:\.(?:bak|old|orig|save|swp|tmp)|[~.\s])*`;

/** The only hidden folder that is served, as the first part of a path (RFC 8615); certificate challenges use it. */
export const WELL_KNOWN = '.well-known';
