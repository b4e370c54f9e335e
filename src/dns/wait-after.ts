/** Returns the delay before the next attempt in seconds: a minute, then doubled each time. @param failures number of earlier failures */
export const waitAfter = (failures: number, longest: number): number => Math.min(60 * 2 ** Math.min(failures, 20), longest);
