import { HOUR_MS } from '../../common/index.js';
import type { MonitorState } from '../entities/index.js';

/** Where a monitor stands between two checks. */
export interface Standing {
  readonly state: MonitorState;
  readonly since: Date | null;
  /** Failures in a row. */
  readonly fails: number;
  /** Successes in a row. */
  readonly oks: number;
  /** Somebody was told that it is down, and not yet that it is up. */
  readonly told: boolean;
  /** Failures since somebody was told last. */
  readonly sinceTold: number;
  /** How often it went down since it was last up for {@link CALM_MS}. */
  readonly flips: number;
}

/** When a monitor counts as down and up, and how often that is told. */
export interface StateRules {
  /** Failures in a row before it is down, from 1. */
  readonly failThreshold: number;
  /** Successes in a row before it is up again, from 1. */
  readonly recoveryThreshold: number;
  /** Told again after so many further failures; 0: never. */
  readonly repeatEvery: number;
}

/** What is to be told: it went down, is still down, is up again, or nobody can say. */
export type Telling = 'down' | 'still' | 'up' | 'unknown';

/** What a check has made of a standing. */
export interface Step {
  readonly next: Standing;
  readonly tell: Telling | null;
}

/** A monitor that was never checked. */
export const NEW_STANDING: Standing = { state: 'pending', since: null, fails: 0, oks: 0, told: false, sinceTold: 0, flips: 0 };

/** Up for so long, in milliseconds, what it did before is forgotten. */
export const CALM_MS = HOUR_MS;

/** Successes in a row a monitor needs at most, however often it came and went. */
export const MOST_RECOVERIES = 16;

/**
 * What one check makes of where a monitor stood. Each transition is told once, and that something is up only to whom was told that it is
 * down. What comes and goes has to hold out twice as long each time before it counts as up: somebody who is told of it three times an hour
 * looks, of thirty times nobody does.
 */
export function step(standing: Standing, ok: boolean, rules: StateRules, now: Date): Step {
  return ok ? succeed(standing, rules, now) : fail(standing, rules, now);
}

/** A failure that would be told of, and waits: the next one is as if this had not been enough. */
export function wait(standing: Standing, now: Date): Step {
  const next = { ...standing, ...entered(standing, 'pending', now), fails: standing.fails + 1, oks: 0, flips: calmed(standing, now) };
  return { next, tell: null };
}

/** A monitor that is not looked at for now. That it is down and somebody knows stays known. */
export function rest(standing: Standing, now: Date): Standing {
  if (standing.state === 'maintenance') return standing;
  return { ...standing, state: 'maintenance', since: now, fails: 0, oks: 0 };
}

/** A monitor of which nobody can say whether it is fine. That it was down and somebody knows stays known. */
export function doubt(standing: Standing, now: Date): Standing {
  const since = standing.state === 'pending' ? (standing.since ?? now) : now;
  return { ...standing, state: 'pending', since, fails: 0, oks: 0 };
}

/** Successes in a row after which a monitor is up again. */
export const recoveriesOf = ({ flips }: Standing, { recoveryThreshold }: StateRules): number =>
  Math.max(recoveryThreshold, Math.min(MOST_RECOVERIES, 2 ** Math.max(0, flips - 1)));

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

/** A monitor that was up for long starts anew. */
const calmed = ({ state, since, flips }: Standing, now: Date): number =>
  state === 'up' && since !== null && now.getTime() - since.getTime() >= CALM_MS ? 0 : flips;
