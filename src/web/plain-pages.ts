import type { RequestContext } from '../operations/index.js';

/**
 * Returns the URL if a page that handles money or passwords must be loaded as a whole; null if it may be inserted into the requesting
 * page, or is loaded as a whole anyway. htmx inserts responses into the page, where scripts of a theme could read what is typed.
 */
export function wholePage({ method, headers, path, rawQuery }: RequestContext): string | null {
  if (method !== 'GET' || headers['hx-request'] !== 'true') return null;
  const from = String(headers['hx-current-url'] ?? '');
  if (URL.canParse(from) && new URL(from).pathname === path) return null;
  // `//` would lead to another host.
  return path.replace(/^\/+/, '/') + (rawQuery ? `?${rawQuery}` : '');
}

/** Returns whether an administrator previews settings of a theme with this request, as the frame on the settings page does. */
export function isTried({ admin, query }: RequestContext): boolean {
  return admin !== null && query.theme_draft !== undefined;
}
