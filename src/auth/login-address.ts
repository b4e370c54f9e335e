import type { Scope } from '../sdk/index.js';

/** Longest address somebody is led back to, in characters. */
const MAX_ADDRESS = 2_000;
/** Stands for this site; no address ever names it. */
const HERE = 'http://here.invalid';

/** Login page of a side, which leads back to the page `from` (path and query) afterwards. */
export function loginAddress(side: Scope, from?: string): string {
  const next = returnAddress(side, from);
  return next === `/${side}/` ? `/${side}/login` : `/${side}/login?next=${encodeURIComponent(next)}`;
}

/** Where to go after signing in: the page of that side somebody asked for, and nowhere else; its first page where that is none. */
export function returnAddress(side: Scope, wanted = ''): string {
  const home = `/${side}/`;
  if (wanted.length > MAX_ADDRESS || !URL.canParse(wanted, HERE)) return home;
  const { origin, pathname, search } = new URL(wanted, HERE);
  return origin === HERE && pathname.startsWith(home) && pathname !== `${home}login` ? pathname + search : home;
}
