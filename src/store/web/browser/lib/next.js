// @ts-check

/** Where somebody wanted to go before signing in: a page of the store, nothing else. */
export function nextAddress() {
  const wanted = new URLSearchParams(location.search).get('next') ?? '';
  const url = URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  return url && url.origin === location.origin && url.pathname.startsWith('/store/') ? url.pathname + url.search : '/store/';
}

/** The same wish for another page. @param {string} path */
export function withNext(path) {
  const next = nextAddress();
  return next === '/store/' ? path : `${path}?next=${encodeURIComponent(next)}`;
}
