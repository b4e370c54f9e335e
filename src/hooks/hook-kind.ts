import { surroundingKind, type CallKind, type ExecutionFrame } from '../common/index.js';
import type { HookName } from '../sdk/index.js';

/** What the listeners of the panel's own hooks are called for; those of durable hooks are called by the delivery. */
const KINDS: Partial<Record<HookName, CallKind>> = {
  cron: 'cron',
  'init.admin': 'page',
  'init.user': 'page',
  'menu.admin': 'page',
  'menu.user': 'page',
  'dashboard.admin.steps': 'page',
  'dashboard.admin.widgets': 'page',
  'dashboard.user.widgets': 'page',
  'settings.admin.tabs': 'page',
  'home.blocks': 'page',
  'host.renewal.offers': 'page',
  'order.products': 'page',
  'host.package.offers': 'page',
  'pay.dispatch.before': 'payment',
};
const kinds: ReadonlyMap<string, CallKind> = new Map(Object.entries(KINDS));

/**
 * What the listeners of a hook are called for. Hooks of plugins' own take as long as what they are fired in allows: a page waits
 * two seconds, everything else thirty.
 *
 * @param origin the frame the run was fired from
 */
export function callKindOf(hook: string, origin: ExecutionFrame | undefined): CallKind {
  return kinds.get(hook) ?? (surroundingKind(origin) === 'page' ? 'page' : 'action');
}
