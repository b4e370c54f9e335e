import { HOUR_MS } from '../../common/index.js';
import type { MonitorState } from '../entities/index.js';

/** State of a monitor between two checks. */
export interface MonitorStatus {
  readonly state: MonitorState;
  readonly since: Date | null;
  /** Consecutive failures. */
  readonly fails: number;
  /** Consecutive successes. */
  readonly oks: number;
  /** Whether the outage was notified and the recovery was not yet. */
  readonly notified: boolean;
  /** Failures since the last notification. */
  readonly failsSinceNotice: number;
  /** Number of outages since it was last up for {@link CALM_MS}. */
  readonly flips: number;
}

/** Thresholds for down and up, and repetition of notifications. */
export interface StateRules {
  /** Consecutive failures before it counts as down, from 1. */
  readonly failThreshold: number;
  /** Consecutive successes before it counts as up again, from 1. */
  readonly recoveryThreshold: number;
  /** Repeats the notification after this many further failures; 0 never. */
  readonly repeatEvery: number;
}

/** Kind of notification: down, still down, up again, or unknown. */
export type Transition = 'down' | 'still' | 'up' | 'unknown';

/** Result of a state transition. */
export interface Step {
  readonly next: MonitorStatus;
  readonly transition: Transition | null;
}

/** State of a monitor that was never checked. */
export const NEW_STANDING: MonitorStatus = {
  state: 'pending',
  since: null,
  fails: 0,
  oks: 0,
  notified: false,
  failsSinceNotice: 0,
  flips: 0,
};

/** Uptime after which earlier outages are ignored, in milliseconds. */
export const CALM_MS = HOUR_MS;

/** Maximum number of consecutive successes required, however often it flapped. */
export const MAX_RECOVERIES = 16;

/**
 * Computes a monitor's next state from one check result. Each transition is notified once, and a recovery only if the outage was notified.
 * A flapping monitor must stay up twice as long each time before it counts as recovered, so that recipients are not flooded.
 */
export function step(status: MonitorStatus, ok: boolean, rules: StateRules, now: Date): Step {
  return ok ? succeed(status, rules, now) : fail(status, rules, now);
}

/** Postpones the notification for a failure that would trigger one; the next failed check decides again. */
export function postponeAlarm(status: MonitorStatus, now: Date): Step {
  const next = { ...status, ...entered(status, 'pending', now), fails: status.fails + 1, oks: 0, flips: calmed(status, now) };
  return { next, transition: null };
}

/** Returns the state during maintenance. A notified outage stays recorded. */
export function enterMaintenance(status: MonitorStatus, now: Date): MonitorStatus {
  if (status.state === 'maintenance') return status;
  return { ...status, state: 'maintenance', since: now, fails: 0, oks: 0 };
}

/** Returns the state for an unknown result. A notified outage stays recorded. */
export function markUnknown(status: MonitorStatus, now: Date): MonitorStatus {
  const since = status.state === 'pending' ? (status.since ?? now) : now;
  return { ...status, state: 'pending', since, fails: 0, oks: 0 };
}

/** Returns the number of consecutive successes required for a recovery. */
export const recoveriesOf = ({ flips }: MonitorStatus, { recoveryThreshold }: StateRules): number =>
  Math.max(recoveryThreshold, Math.min(MAX_RECOVERIES, 2 ** Math.max(0, flips - 1)));

function succeed(status: MonitorStatus, rules: StateRules, now: Date): Step {
  const next = { ...status, oks: status.oks + 1, fails: 0 };
  if (status.notified && next.oks < recoveriesOf(status, rules))
    return { next: { ...next, ...entered(status, 'down', now) }, transition: null };
  const up = { ...next, ...entered(status, 'up', now), notified: false, failsSinceNotice: 0 };
  return { next: up, transition: status.notified ? 'up' : null };
}

function fail(status: MonitorStatus, rules: StateRules, now: Date): Step {
  const next = { ...status, fails: status.fails + 1, oks: 0 };
  if (status.notified) {
    const fails = status.failsSinceNotice + 1;
    const again = rules.repeatEvery > 0 && fails >= rules.repeatEvery;
    return { next: { ...next, ...entered(status, 'down', now), failsSinceNotice: again ? 0 : fails }, transition: again ? 'still' : null };
  }
  if (next.fails < rules.failThreshold)
    return { next: { ...next, ...entered(status, 'pending', now), flips: calmed(status, now) }, transition: null };
  const flips = calmed(status, now) + 1;
  return { next: { ...next, ...entered(status, 'down', now), notified: true, failsSinceNotice: 0, flips }, transition: 'down' };
}

const entered = (status: MonitorStatus, state: MonitorState, now: Date): Pick<MonitorStatus, 'state' | 'since'> =>
  status.state === state ? { state, since: status.since } : { state, since: now };

/** Resets the count after a long uptime. */
const calmed = ({ state, since, flips }: MonitorStatus, now: Date): number =>
  state === 'up' && since !== null && now.getTime() - since.getTime() >= CALM_MS ? 0 : flips;
