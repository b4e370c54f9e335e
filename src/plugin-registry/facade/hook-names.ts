import { closestNames } from '../../common/index.js';
import { PANEL_HOOKS } from '../../sdk/index.js';

import type { PluginNotices } from '../plugin-notices.js';

const known: ReadonlySet<string> = new Set(PANEL_HOOKS);

/** Prefixes of hook names reserved for the panel. Plugins' own hooks need another prefix, preferably their slug. */
const PANEL_PREFIXES = ['host.', 'order.', 'menu.', 'dashboard.', 'settings.', 'home.', 'pay.', 'init.', 'render.', 'include.', 'docker.'];

/** Hooks of other panels of this family, and their replacements. */
const ELSEWHERE: readonly (readonly [prefix: string, instead: string])[] = [
  ['render.', 'use svc_register_page_override'],
  ['include.', 'use svc_register_partial_override'],
  ['docker.', 'this version has no containers'],
];

/**
 * Rejects hooks of the panel's namespace that do not exist, and adds a notice for names similar to one of the panel's.
 *
 * @throws Error naming the hooks that may have been meant
 */
export function checkHookName(slug: string, hook: unknown, notices: PluginNotices): void {
  if (typeof hook !== 'string' || known.has(hook)) return;
  const name = hook.toLowerCase();
  const close = closestNames(hook, PANEL_HOOKS);
  if (PANEL_PREFIXES.some((prefix) => name.startsWith(prefix)) || known.has(name)) throw new Error(refusal(slug, hook, name, close));
  if (close.length > 0) notices.add(slug, 'plugins.notice.hook_close', { hook: hook.slice(0, 80), close: close.join(', ') });
}

function refusal(slug: string, hook: string, name: string, close: readonly string[]): string {
  const start = `${slug}: this version does not fire "${hook.slice(0, 80)}"`;
  const instead = ELSEWHERE.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (instead !== undefined) return `${start}: ${instead}.`;
  const space = name.slice(0, name.indexOf('.') + 1);
  const candidates = close.length > 0 ? close : PANEL_HOOKS.filter((other) => space !== '' && other.startsWith(space));
  return (
    `${start}. Did you mean ${candidates.map((other) => `"${other}"`).join(' or ')}? ` +
    `Start the names of your own hooks with another prefix, such as "${slug}.".`
  );
}
