import type { RequestContext } from '../operations/index.js';

/**
 * Where a page that handles money or passwords has to be loaded whole: null where it may be put into the page that asks, or is loaded
 * whole anyway. htmx puts an answer into the page that asked for it, and scripts of a theme that run there would read what is typed.
 */
export function wholePage({ method, headers, path, rawQuery }: RequestContext): string | null {
  if (method !== 'GET' || headers['hx-request'] !== 'true') return null;
  const from = String(headers['hx-current-url'] ?? '');
  if (URL.canParse(from) && new URL(from).pathname === path) return null;
  // `//` would lead to another host.
  return path.replace(/^\/+/, '/') + (rawQuery ? `?${rawQuery}` : '');
}

/** Tells whether an administrator tries settings of a theme with this request, as the preview frame on their page does. */
export function isTried({ admin, query }: RequestContext): boolean {
  return admin !== null && query.theme_draft !== undefined;
}
