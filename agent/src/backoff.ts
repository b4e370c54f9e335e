/**
 * Returns the delay after a number of consecutive failures: doubled each time up to a minute (or the interval), with a jitter of ±25 % so
 * that many agents do not reconnect at the same time.
 *
 * @param failures from 1
 * @param random 0 to 1
 * @returns milliseconds
 */
export function backoffMs(failures: number, intervalMs: number, random: number = Math.random()): number {
  const longest = Math.max(60_000, intervalMs);
  return Math.round(Math.min(longest, intervalMs * 2 ** Math.min(failures - 1, 20)) * (0.75 + random / 2));
}
