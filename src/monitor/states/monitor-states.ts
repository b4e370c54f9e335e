import { HOUR_MS } from '../../common/index.js';
import type { MonitorState } from '../entities/index.js';

/** State of a monitor between two checks. */
export interface Standing {
  readonly state: MonitorState;
  readonly since: Date | null;
  /** Consecutive failures. */
  readonly fails: number;
  /** Consecutive successes. */
  readonly oks: number;
  /** Whether the outage was notified and the recovery was not yet. */
  readonly told: boolean;
  /** Failures since the last notification. */
  readonly sinceTold: number;
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
export type Telling = 'down' | 'still' | 'up' | 'unknown';

/** Result of a state transition. */
export interface Step {
  readonly next: Standing;
  readonly tell: Telling | null;
}

/** State of a monitor that was never checked. */
export const NEW_STANDING: Standing = { state: 'pending', since: null, fails: 0, oks: 0, told: false, sinceTold: 0, flips: 0 };

/** Uptime after which earlier outages are ignored, in milliseconds. */
export const CALM_MS = HOUR_MS;

/** Maximum number of consecutive successes required, however often it flapped. */
export const MAX_RECOVERIES = 16;

/**
 * Computes a monitor's next state from one check result. Each transition is notified once, and a recovery only if the outage was notified.
 * A flapping monitor must stay up twice as long each time before it counts as recovered, so that recipients are not flooded.
 */
export function step(standing: Standing, ok: boolean, rules: StateRules, now: Date): Step {
  return ok ? succeed(standing, rules, now) : fail(standing, rules, now);
}

/** Postpones the notification for a failure that would trigger one; the next failed check decides again. */
export function wait(standing: Standing, now: Date): Step {
  const next = { ...standing, ...entered(standing, 'pending', now), fails: standing.fails + 1, oks: 0, flips: calmed(standing, now) };
  return { next, tell: null };
}

/** Returns the state during maintenance. A notified outage stays recorded. */
export function rest(standing: Standing, now: Date): Standing {
  if (standing.state === 'maintenance') return standing;
  return { ...standing, state: 'maintenance', since: now, fails: 0, oks: 0 };
}

/** Returns the state for an unknown result. A notified outage stays recorded. */
export function doubt(standing: Standing, now: Date): Standing {
  const since = standing.state === 'pending' ? (standing.since ?? now) : now;
  return { ...standing, state: 'pending', since, fails: 0, oks: 0 };
}

/** Returns the number of consecutive successes required for a recovery. */
export const recoveriesOf = ({ flips }: Standing, { recoveryThreshold }: StateRules): number =>
  Math.max(recoveryThreshold, Math.min(MAX_RECOVERIES, 2 ** Math.max(0, flips - 1)));

function succeed(standing: Standing, rules: StateRules, now: Date): Step {
  const next = { ...standing, oks: standing.oks + 1, fails: 0 };
  if (standing.told && next.oks < recoveriesOf(standing, rules))
    return { next: { ...next, ...entered(standing, 'down', now) }, tell: null };
  const up = { ...next, ...entered(standing, 'up', now), told: false, sinceTold: 0 };
  return { next: up, tell: standing.told ? 'up' : null };
}

function fail(standing: Standing, rules: StateRules, now: Date): Step {
  const next = { ...standing, fails: standing.fails + 1, oks: 0 };
  if (standing.told) {
    const sinceTold = standing.sinceTold + 1;
    const again = rules.repeatEvery > 0 && sinceTold >= rules.repeatEvery;
    return { next: { ...next, ...entered(standing, 'down', now), sinceTold: again ? 0 : sinceTold }, tell: again ? 'still' : null };
  }
  if (next.fails < rules.failThreshold)
    return { next: { ...next, ...entered(standing, 'pending', now), flips: calmed(standing, now) }, tell: null };
  const flips = calmed(standing, now) + 1;
  return { next: { ...next, ...entered(standing, 'down', now), told: true, sinceTold: 0, flips }, tell: 'down' };
}

const entered = (standing: Standing, state: MonitorState, now: Date): Pick<Standing, 'state' | 'since'> =>
  standing.state === state ? { state, since: standing.since } : { state, since: now };

/** Resets the count after a long uptime. */
const calmed = ({ state, since, flips }: Standing, now: Date): number =>
  state === 'up' && since !== null && now.getTime() - since.getTime() >= CALM_MS ? 0 : flips;
