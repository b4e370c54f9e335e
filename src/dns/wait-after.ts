/** Seconds before the next attempt: a minute, then twice as long each time. @param failures so far, without this one */
export const waitAfter = (failures: number, longest: number): number => Math.min(60 * 2 ** Math.min(failures, 20), longest);
