import type { AccountState } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Life-cycle state of an account; `none`: its row is not there yet, or no longer. */
export type LifeState = AccountState | 'none';

/**
 * Every step of an account's life and what makes it happen. Whatever is not here does not happen: rows change only through
 * `AccountStore`, which asks. docs/panel-api.md "Life of a host" says the same in words.
 */
export const TRANSITIONS: Readonly<Record<LifeState, Partial<Readonly<Record<LifeState, string>>>>> = {
  none: { provisioning: 'somebody orders it: the row is there before the server is told' },
  provisioning: {
    active: 'the server has made the site',
    failed: 'the server refused: what it may have made is removed first',
    none: 'the server was never reached, so there is nothing to remove',
  },
  active: { paused: 'the first reason to stand still', terminating: 'it is to be deleted' },
  paused: { active: 'the last reason is lifted', terminating: 'it is to be deleted' },
  terminating: {
    none: 'the server has removed the site, or never had it',
    active: 'the server refused and the site is still there',
    paused: 'the server refused and the site is still there',
  },
  failed: { none: 'nothing is left on the server' },
};

/** Actions on an account, each allowed in some of its states. */
export type AccountAction =
  'pause' | 'hold' | 'unpause' | 'renew' | 'setQuota' | 'changePassword' | 'setEmail' | 'assign' | 'start' | 'stop' | 'measure';

/** States in which each can be done; an account that is not there yet, or not any more, is brought to the end of that first. */
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

/** @throws HostingError ACCOUNT_PAUSED, or ACCOUNT_STATE for the other states it cannot be done in */
export function checkAllowed(action: AccountAction, state: AccountState): void {
  if (ALLOWED[action].includes(state)) return;
  throw new HostingError(state === 'paused' ? 'ACCOUNT_PAUSED' : 'ACCOUNT_STATE');
}

/** @throws Error for a step no account ever takes: a fault of ours */
export function checkTransition(from: LifeState, to: LifeState): void {
  if (from !== to && TRANSITIONS[from][to] === undefined) throw new Error(`An account does not go from "${from}" to "${to}".`);
}

/**
 * Why accounts stand still and who sets and lifts each. Reasons stack: an account runs again when the last one is lifted.
 * Plugins have reasons of their own, `plugin` where they name none.
 */
export const PAUSE_REASON = {
  /** An administrator, by hand. Lifting it lifts a shop's and that of an unused host too: whoever runs the panel has the last word. */
  admin: 'admin',
  /** A shop through the provisioning API: `zt` sets it, `jc` lifts it and no other. */
  api: 'api',
  /** The last day is over; a renewal lifts it. */
  expiry: 'expiry',
  /** More is used than was bought; using less, buying more, or the next month lifts it. */
  quota: 'quota',
  /** Nobody used it for as long as the settings say; its owner lifts it, and so does using it. */
  idle: 'idle',
  /** A scan found what must not be there; the administrator who looked at it lifts it. */
  scan: 'scan',
} as const;

/** Pauses jobs make by themselves; a hold keeps them away. What a scan finds is another matter. */
export const AUTOMATIC_PAUSES: readonly string[] = [PAUSE_REASON.expiry, PAUSE_REASON.quota, PAUSE_REASON.idle];

/** The pause reasons left when `reason` is lifted. */
export function reasonsWithout(reasons: readonly string[], reason: string): string[] {
  const lifted: readonly string[] = reason === PAUSE_REASON.admin ? [PAUSE_REASON.admin, PAUSE_REASON.api, PAUSE_REASON.idle] : [reason];
  return reasons.filter((other) => !lifted.includes(other));
}
