import { surroundingKind, type CallKind, type ExecutionFrame } from '../common/index.js';
import type { HookName } from '../sdk/index.js';

/** Call kinds of the panel's own hooks; listeners of durable hooks are called by the delivery instead. */
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
 * Returns the call kind of a hook. The kind of a plugin's own hook depends on where it is fired: two seconds in a page, thirty elsewhere.
 *
 * @param origin the frame that fired the hook
 */
export function callKindOf(hook: string, origin: ExecutionFrame | undefined): CallKind {
  return kinds.get(hook) ?? (surroundingKind(origin) === 'page' ? 'page' : 'action');
}
