import type { SiteRedirect } from '../driver/index.js';

/** Maximum redirects followed before they count as a loop. */
const MAX_STEPS = 20;

/** Returns the target of a path by the redirects of a site; null if none matches. @param path decoded, without repeated slashes */
export function redirectFor(redirects: readonly SiteRedirect[], path: string): { to: string; status: 301 | 302 } | null {
  for (const { from, to, status } of redirects) {
    const rest = restOf(from, path);
    if (rest !== null) return { to: rest === '' ? to : `${to.replace(/\/$/, '')}/${encoded(rest)}`, status };
  }
  return null;
}

/** Returns the part of a path after the redirect's path; empty if equal, null if it does not match. */
function restOf(from: string, path: string): string | null {
  if (!from.endsWith('/*')) return from === path ? '' : null;
  const folder = from.slice(0, -1);
  return path.startsWith(folder) ? path.slice(folder.length).replace(/^\/+/, '') : null;
}

/**
 * Returns whether the redirects of a site form a loop, starting with one of them.
 *
 * @param local returns the path of an address on this site; null for an address elsewhere
 */
export function formsLoop(redirects: readonly SiteRedirect[], start: SiteRedirect, local: (to: string) => string | null): boolean {
  // Any remainder is representative: a redirect that leads back to itself does so for all of them.
  let path = start.from.endsWith('/*') ? `${start.from.slice(0, -1)}x` : start.from;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = redirectFor(redirects, path);
    if (!next) return false;
    const target = local(next.to);
    if (target === null) return false;
    if (target === path) return true;
    path = target;
  }
  return true;
}

const encoded = (path: string): string => encodeURI(path).replace(/[?#]/g, encodeURIComponent);
