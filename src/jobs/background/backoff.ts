import { HOUR_MS } from '../../common/index.js';

const LONGEST = HOUR_MS;

/**
 * Returns the delay in milliseconds after the failed attempt number `attempt` (from 1): `base`, doubled each time, up to an hour, with
 * random jitter of up to a quarter, so that tasks that failed together do not retry together.
 */
export function backoffAfter(attempt: number, base: number, chance: () => number = Math.random): number {
  const wait = Math.min(base * 2 ** (attempt - 1), LONGEST);
  return Math.round(wait * (0.75 + chance() / 2));
}
