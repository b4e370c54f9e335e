import type { Scope } from '../sdk/index.js';

/** Maximum length of a return URL, in characters. */
const MAX_ADDRESS = 2_000;
/** Placeholder origin of this site; no real URL contains it. */
const HERE = 'http://here.invalid';
/** First path segments of the sides' pages and of the home page, from which users are redirected to their own side. */
const SIDES = new Set(['', 'admin', 'user']);

/** Returns the login page of a side, which redirects to `from` (path and query) afterwards. */
export function loginAddress(side: Scope, from?: string): string {
  const next = returnAddress(side, from);
  return next === `/${side}/` ? `/${side}/login` : `/${side}/login?next=${encodeURIComponent(next)}`;
}

/** Returns the requested page if it belongs to the side, otherwise the side's first page. */
export function returnAddress(side: Scope, wanted = ''): string {
  const home = `/${side}/`;
  const page = pageHere(wanted);
  return page?.pathname.startsWith(home) && page.pathname !== `${home}login` ? page.pathname + page.search : home;
}

/**
 * Returns the page to show after sign-in: as {@link returnAddress}, but users also return to a page of this site that belongs to neither
 * side, such as a plugin's shop, which uses the same session.
 */
export function signedInAddress(side: Scope, wanted = ''): string {
  const page = pageHere(wanted);
  const isOfNoSide = page !== null && wanted.startsWith('/') && !SIDES.has(page.pathname.split('/')[1]!.toLowerCase());
  return side === 'user' && isOfNoSide ? page.pathname + page.search : returnAddress(side, wanted);
}

/** Returns the page of this site that a URL names; null if it names none. */
function pageHere(wanted: string): URL | null {
  if (wanted.length > MAX_ADDRESS || !URL.canParse(wanted, HERE)) return null;
  const address = new URL(wanted, HERE);
  // Two leading slashes would name another site: `/x/..//evil.test`.
  return address.origin === HERE && !address.pathname.startsWith('//') ? address : null;
}
