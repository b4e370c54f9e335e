/**
 * Names of programs and their settings, as servers that run them know them: where they do not run they would be sent as they are written,
 * passwords included. Copies that editors and people leave behind count, and so does what only some file systems ignore.
 *
 * How such a name ends, in any case of letters: a regular expression for JavaScript and for nginx, so that all servers refuse the same.
 */
export const PROGRAM_ENDING =
  String.raw`\.(?:php\w*|phtml|phar|pht|inc|asp|aspx|ascx|ashx|asmx|jsp|jspx|cfm|cgi|fcgi|pl|py|rb|lua|sh|bash|bat|cmd|ps1|vbs|env)` +
  String.raw`(?:\.(?:bak|old|orig|save|swp|tmp)|[~.\s])*`;

/** The one hidden folder that is there to be read, as the first part of a path (RFC 8615); certificates are proved with it. */
export const WELL_KNOWN = '.well-known';
