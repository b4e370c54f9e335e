import type { Scope } from '../sdk/index.js';

/** Maximum length of a return URL, in characters. */
const MAX_ADDRESS = 2_000;
/** Placeholder origin of this site; no real URL contains it. */
const LOCAL_ORIGIN = 'http://here.invalid';
/** First path segments of the sides' pages and of the home page, from which users are redirected to their own side. */
const SIDES = new Set(['', 'admin', 'user']);

/** Returns the login page of a side, which redirects to `from` (path and query) afterwards. */
export function loginAddress(side: Scope, from?: string): string {
  const next = returnAddress(side, from);
  return next === `/${side}/` ? `/${side}/login` : `/${side}/login?next=${encodeURIComponent(next)}`;
}

/** Returns the requested page if it belongs to the side, otherwise the side's first page. */
export function returnAddress(side: Scope, requested = ''): string {
  const home = `/${side}/`;
  const page = localPage(requested);
  return page?.pathname.startsWith(home) && page.pathname !== `${home}login` ? page.pathname + page.search : home;
}

/**
 * Returns the page to show after sign-in: as {@link returnAddress}, but users also return to a page of this site that belongs to neither
 * side, such as a plugin's shop, which uses the same session.
 */
export function signedInAddress(side: Scope, requested = ''): string {
  const page = localPage(requested);
  const isOfNoSide = page !== null && requested.startsWith('/') && !SIDES.has(page.pathname.split('/')[1]!.toLowerCase());
  return side === 'user' && isOfNoSide ? page.pathname + page.search : returnAddress(side, requested);
}

/** Returns the page of this site that a URL names; null if it names none. */
function localPage(requested: string): URL | null {
  if (requested.length > MAX_ADDRESS || !URL.canParse(requested, LOCAL_ORIGIN)) return null;
  const address = new URL(requested, LOCAL_ORIGIN);
  // Two leading slashes would name another site: `/x/..//evil.test`.
  return address.origin === LOCAL_ORIGIN && !address.pathname.startsWith('//') ? address : null;
}
