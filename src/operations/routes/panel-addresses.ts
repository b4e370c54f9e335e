import { RouteRefusedError } from './route-path.js';

/** What the panel's own addresses begin with: what is below is the panel's, whether something is there now or comes later. */
const PANEL_SEGMENTS: ReadonlySet<string> = new Set([
  ...['admin', 'user', 'api', 'assets', 'store', 'uploads', 'app_plugins', 'safe-mode', 'status', 'push', 'notices'],
  ...['healthz', 'readyz', 'metrics', 'favicon.ico', 'jk.php', 'jk_monitor.php', 'docker_cron.php', 'xx.php'],
]);

/** Tells whether the path of a request, still percent-encoded, is at or below an address of the panel. */
export function isPanelAddress(path: string): boolean {
  const end = path.indexOf('/', 1);
  return isPanelSegment(end < 0 ? path.slice(1) : path.slice(1, end));
}

/**
 * Plugins register what is theirs. A parameter as first segment is open, and gets no request for an address of the panel.
 *
 * @param segments of the route's path, null for a parameter
 * @throws RouteRefusedError for an address of the panel or of another gateway, naming the addresses that are open
 */
export function requireOpenAddress(path: string, [first, second, third]: readonly (string | null)[], owner: string): void {
  if (typeof first !== 'string') return;
  // A page to come back to for all gateways is for plugins to make; a gateway's other addresses are its plugin's.
  const isOpen = first === 'pay' ? second === owner || (second === null && third === 'return') : !isPanelSegment(first);
  if (isOpen) return;
  throw new RouteRefusedError(
    path,
    `what is below /${first} is the panel's${first === 'pay' ? " and its gateways'" : ''}. Open are /p/${owner}/…, ` +
      `/pay/${owner}/…, /pay/{name}/return, and all that begin otherwise than with ${['pay', ...PANEL_SEGMENTS].join(', ')}.`,
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
