import type { AccountState } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Life-cycle state of an account; `none` means that its row does not exist (yet, or any more). */
export type LifeState = AccountState | 'none';

/**
 * Every allowed transition of an account and its cause. Rows change only through `AccountStore`, which rejects any other transition.
 * docs/panel-api.md "Life of a host" describes the same.
 */
export const TRANSITIONS: Readonly<Record<LifeState, Partial<Readonly<Record<LifeState, string>>>>> = {
  none: { provisioning: 'ordered: the row exists before the server is called' },
  provisioning: {
    active: 'the server created the site',
    failed: 'the server rejected the creation: partial results are removed first',
    none: 'the server was never reached: there is nothing to remove',
  },
  active: { paused: 'the first pause reason was set', terminating: 'deletion was requested' },
  paused: { active: 'the last pause reason was removed', terminating: 'deletion was requested' },
  terminating: {
    none: 'the server removed the site, or never had it',
    active: 'the server rejected the deletion: the site still exists',
    paused: 'the server rejected the deletion: the site still exists',
  },
  failed: { none: 'nothing remains on the server' },
};

/** Actions on an account, each allowed in some of its states. */
export type AccountAction =
  'pause' | 'hold' | 'unpause' | 'renew' | 'setQuota' | 'changePassword' | 'setEmail' | 'assign' | 'start' | 'stop' | 'measure';

/** States in which each action is allowed; unfinished creations and deletions are completed first. */
const ALLOWED: Readonly<Record<AccountAction, readonly AccountState[]>> = {
  pause: ['active', 'paused'],
  unpause: ['active', 'paused'],
  hold: ['active', 'paused'],
  renew: ['active', 'paused'],
  setQuota: ['active', 'paused'],
  changePassword: ['active', 'paused'],
  setEmail: ['active', 'paused'],
  assign: ['active', 'paused'],
  start: ['active'],
  stop: ['active', 'paused'],
  measure: ['active', 'paused'],
};

/** @throws HostingError ACCOUNT_PAUSED, or ACCOUNT_STATE for the other states that do not allow the action */
export function checkAllowed(action: AccountAction, state: AccountState): void {
  if (ALLOWED[action].includes(state)) return;
  throw new HostingError(state === 'paused' ? 'ACCOUNT_PAUSED' : 'ACCOUNT_STATE');
}

/** @throws Error for a transition that does not exist: a bug */
export function checkTransition(from: LifeState, to: LifeState): void {
  if (from !== to && TRANSITIONS[from][to] === undefined) throw new Error(`An account cannot change from "${from}" to "${to}".`);
}

/**
 * Reasons for pausing accounts, and who sets and lifts each. Reasons stack: an account runs again when the last one is lifted. Plugins have
 * their own reasons, `plugin` if they name none.
 */
export const PAUSE_REASON = {
  /** Set by an administrator. Lifting it also lifts `api` and `idle`: the administrator has the last word. */
  admin: 'admin',
  /** Set by a shop through the provisioning API: `zt` sets it, and only `jc` lifts it. */
  api: 'api',
  /** The last day is over; a renewal lifts it. */
  expiry: 'expiry',
  /** Usage exceeds the purchased quota; lower usage, a larger quota or the next month lifts it. */
  quota: 'quota',
  /** The site was unused for the configured time; its owner or new use lifts it. */
  idle: 'idle',
  /** A scan found something forbidden; the administrator who reviewed it lifts it. */
  scan: 'scan',
} as const;

/** Pauses set automatically by jobs; a hold prevents them. Scans are not included. */
export const AUTOMATIC_PAUSES: readonly string[] = [PAUSE_REASON.expiry, PAUSE_REASON.quota, PAUSE_REASON.idle];

/** Returns the pause reasons left when `reason` is lifted. */
export function reasonsWithout(reasons: readonly string[], reason: string): string[] {
  const lifted: readonly string[] = reason === PAUSE_REASON.admin ? [PAUSE_REASON.admin, PAUSE_REASON.api, PAUSE_REASON.idle] : [reason];
  return reasons.filter((other) => !lifted.includes(other));
}
