import type { SiteRedirect } from '../driver/index.js';

/** Redirects followed before they count as a circle. */
const MOST_STEPS = 20;

/** Target of a path by the redirects of a site; null where none matches. @param path decoded, with one slash at a time */
export function redirectFor(redirects: readonly SiteRedirect[], path: string): { to: string; status: 301 | 302 } | null {
  for (const { from, to, status } of redirects) {
    const rest = restOf(from, path);
    if (rest !== null) return { to: rest === '' ? to : `${to.replace(/\/$/, '')}/${encoded(rest)}`, status };
  }
  return null;
}

/** What stands behind the path a redirect is about; empty for that path itself, null for another one. */
function restOf(from: string, path: string): string | null {
  if (!from.endsWith('/*')) return from === path ? '' : null;
  const folder = from.slice(0, -1);
  return path.startsWith(folder) ? path.slice(folder.length).replace(/^\/+/, '') : null;
}

/**
 * Whether the redirects of a site lead in a circle from one of them on.
 *
 * @param local the path an address of `to` means on this very site; null for one elsewhere
 */
export function leadsInCircle(redirects: readonly SiteRedirect[], start: SiteRedirect, local: (to: string) => string | null): boolean {
  // A rest stands for all rests: what carries one over into itself does so with every one.
  let path = start.from.endsWith('/*') ? `${start.from.slice(0, -1)}x` : start.from;
  for (let step = 0; step < MOST_STEPS; step += 1) {
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
