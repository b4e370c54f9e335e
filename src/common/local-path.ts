/** Characters that browsers read as the start of another host, and the control characters and spaces they ignore before it. */
const LEADING = /^[/\\\u0000-\u0020\u007f]+/;

/**
 * Returns a redirect target on this site for a path from a request: browsers read `//evil.test/` and `/\evil.test/` as another host
 * (https://url.spec.whatwg.org/#relative-slash-state), and a request target may be a complete URL.
 *
 * @returns `target` if it is local, else its local part; `/` if it is not a path
 */
export function localPath(target: string): string {
  if (!/^[/\\]/.test(target)) return '/';
  return `/${target.replace(LEADING, '')}`;
}
