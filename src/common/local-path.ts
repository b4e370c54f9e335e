/** What browsers take for the beginning of another host, and the control characters and spaces they pass over to find it. */
const LEADING = /^[/\\\u0000-\u0020\u007f]+/;

/**
 * The address of a redirect that stays on this site, from a path that came with a request: `//evil.test/` and `/\evil.test/` name another
 * host to a browser (https://url.spec.whatwg.org/#relative-slash-state), and a request target may be a whole URL.
 *
 * @returns `target` where it stays here, else what of it does; `/` for what is no path
 */
export function localPath(target: string): string {
  if (!/^[/\\]/.test(target)) return '/';
  return `/${target.replace(LEADING, '')}`;
}
