/**
 * Texts as nginx reads them. Everything that comes from a task goes through here, so that it is a value whatever it holds: no
 * directive, no block, no variable.
 */

/** Its value is `$`, which nginx has no other way to write. Declared once, in the file all sites share. */
export const DOLLAR = '${svc_dollar}';

/** A text that stands for itself, where variables count: `"…"`. */
export function quoted(text: string): string {
  return `"${escaped(text).replaceAll('$', DOLLAR)}"`;
}

/** A text where variables do not count, such as the path of `location =`. */
export function plain(text: string): string {
  return `"${escaped(text)}"`;
}

/** A regular expression in quotes. @param pattern what {@link literal} and we ourselves wrote */
export function pattern(text: string): string {
  return `"${escaped(text)}"`;
}

/** A text inside a regular expression that stands for itself. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\/', '/');
}

/** A path as it stands in an address, percent-encoded, with nothing of it a variable. */
export function address(text: string): string {
  return quoted(encodeURI(text).replaceAll('%25', '%').replaceAll('$', '%24'));
}

function escaped(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('A value for nginx has control characters.');
  return text.replace(/[\\"]/g, '\\$&');
}
