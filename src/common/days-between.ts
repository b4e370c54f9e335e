import { DAY_MS } from './durations.js';

/**
 * Returns the number of calendar days between two days, regardless of clock changes; negative if `until` is before `from`.
 *
 * @param from `YYYY-MM-DD`
 * @param until `YYYY-MM-DD`
 * @example
 * ```ts
 * daysBetween('2027-02-28', '2027-03-01'); // 1
 * ```
 */
export const daysBetween = (from: string, until: string): number => Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS);
