import type { Scope } from '../sdk/index.js';

/** Longest address somebody is led back to, in characters. */
const MAX_ADDRESS = 2_000;
/** Stands for this site; no address ever names it. */
const HERE = 'http://here.invalid';
/** First parts of the paths of pages that belong to a side, and of the first page, from where users are led to theirs. */
const SIDES = new Set(['', 'admin', 'user']);

/** Login page of a side, which leads back to the page `from` (path and query) afterwards. */
export function loginAddress(side: Scope, from?: string): string {
  const next = returnAddress(side, from);
  return next === `/${side}/` ? `/${side}/login` : `/${side}/login?next=${encodeURIComponent(next)}`;
}

/** Where to go on a side: the page of it somebody asked for, and nowhere else; its first page where that is none. */
export function returnAddress(side: Scope, wanted = ''): string {
  const home = `/${side}/`;
  const page = pageHere(wanted);
  return page?.pathname.startsWith(home) && page.pathname !== `${home}login` ? page.pathname + page.search : home;
}

/**
 * Where to go after signing in: as {@link returnAddress}. Users also go back to a page of this site that is of neither side, such as a
 * plugin's shop, which knows them as well.
 */
export function signedInAddress(side: Scope, wanted = ''): string {
  const page = pageHere(wanted);
  const isOfNoSide = page !== null && wanted.startsWith('/') && !SIDES.has(page.pathname.split('/')[1]!.toLowerCase());
  return side === 'user' && isOfNoSide ? page.pathname + page.search : returnAddress(side, wanted);
}

/** The page of this site an address names; null where it names none. */
function pageHere(wanted: string): URL | null {
  if (wanted.length > MAX_ADDRESS || !URL.canParse(wanted, HERE)) return null;
  const address = new URL(wanted, HERE);
  // Two slashes would lead to another site: `/x/..//evil.test`.
  return address.origin === HERE && !address.pathname.startsWith('//') ? address : null;
}
