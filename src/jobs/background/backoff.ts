import { HOUR_MS } from '../../common/index.js';

const LONGEST = HOUR_MS;

/**
 * Milliseconds to wait after the failed attempt number `attempt` (from 1): `base`, then twice as long each time, an hour at most; a quarter
 * more or less by chance, so that what failed together does not come back together.
 */
export function backoffAfter(attempt: number, base: number, chance: () => number = Math.random): number {
  const wait = Math.min(base * 2 ** (attempt - 1), LONGEST);
  return Math.round(wait * (0.75 + chance() / 2));
}
