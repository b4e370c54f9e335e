import { DAY_MS } from './durations.js';

/**
 * Days of the calendar from one day to another, whatever the clocks of a zone do meanwhile; below 0 where the other one comes first.
 *
 * @param from `YYYY-MM-DD`
 * @param until the same
 * @example
 * ```ts
 * daysBetween('2027-02-28', '2027-03-01'); // 1
 * ```
 */
export const daysBetween = (from: string, until: string): number => Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS);
