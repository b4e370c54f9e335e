import { RouteRefusedError } from './route-path.js';

/** First segments reserved for the panel, including for future paths below them. */
const PANEL_SEGMENTS: ReadonlySet<string> = new Set([
  ...['admin', 'user', 'api', 'assets', 'store', 'uploads', 'app_plugins', 'safe-mode', 'status', 'push', 'notices'],
  ...['healthz', 'readyz', 'metrics', 'favicon.ico', 'jk.php', 'jk_monitor.php', 'docker_cron.php', 'xx.php'],
]);

/** Whether the path of a request, still percent-encoded, is at or below a path of the panel. */
export function isPanelAddress(path: string): boolean {
  const end = path.indexOf('/', 1);
  return isPanelSegment(end < 0 ? path.slice(1) : path.slice(1, end));
}

/**
 * Checks that a plugin may register a path. A parameter as first segment is allowed, but gets no requests for paths of the panel.
 *
 * @param segments of the route's path, null for a parameter
 * @throws RouteRefusedError for a path of the panel or of another gateway, listing the allowed ones
 */
export function requireOpenAddress(path: string, [first, second, third]: readonly (string | null)[], owner: string): void {
  if (typeof first !== 'string') return;
  // A shared return page of all gateways may be provided by any plugin; a gateway's other paths belong to its plugin.
  const isOpen = first === 'pay' ? second === owner || (second === null && third === 'return') : !isPanelSegment(first);
  if (isOpen) return;
  throw new RouteRefusedError(
    path,
    `paths below /${first} belong to the panel${first === 'pay' ? ' and its gateways' : ''}. Allowed are /p/${owner}/…, ` +
      `/pay/${owner}/…, /pay/{name}/return, and all paths whose first segment is none of ${['pay', ...PANEL_SEGMENTS].join(', ')}.`,
  );
}

function isPanelSegment(segment: string): boolean {
  if (!segment.includes('%')) return PANEL_SEGMENTS.has(segment.toLowerCase());
  try {
    return PANEL_SEGMENTS.has(decodeURIComponent(segment).toLowerCase());
  } catch {
    return false;
  }
}
