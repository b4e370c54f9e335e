/** Quotes texts for nginx. Every value of a task passes through here, so that it can never become a directive, block or variable. */

/** nginx variable with the value `$`, which cannot be written otherwise. Declared once in the shared file. */
export const DOLLAR = '${svc_dollar}';

/** Quotes a literal text in a place where variables are expanded: `"…"`. */
export function quoted(text: string): string {
  return `"${escaped(text).replaceAll('$', DOLLAR)}"`;
}

/** Quotes a text in a place where variables are not expanded, such as the path of `location =`. */
export function plain(text: string): string {
  return `"${escaped(text)}"`;
}

/** Quotes a regular expression. @param text built from {@link literal} and constant parts */
export function pattern(text: string): string {
  return `"${escaped(text)}"`;
}

/** Escapes a literal text for a regular expression. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\/', '/');
}

/** Quotes a URL path, percent-encoded and without variables. */
export function address(text: string): string {
  return quoted(encodeURI(text).replaceAll('%25', '%').replaceAll('$', '%24'));
}

function escaped(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('A value for the nginx configuration contains control characters.');
  return text.replace(/[\\"]/g, '\\$&');
}
