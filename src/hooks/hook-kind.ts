import { surroundingKind, type CallKind, type ExecutionFrame } from '../common/index.js';

const PAGE_HOOK = /^(menu|dashboard|settings)\./;

/**
 * What the listeners of a hook are called for. Hooks of plugins' own take as long as what they are fired in allows: a page waits
 * two seconds, everything else thirty.
 *
 * @param origin the frame the run was fired from
 */
export function callKindOf(hook: string, origin: ExecutionFrame | undefined): CallKind {
  if (PAGE_HOOK.test(hook)) return 'page';
  if (hook === 'cron') return 'cron';
  if (hook.startsWith('pay.')) return 'payment';
  return surroundingKind(origin) === 'page' ? 'page' : 'action';
}
