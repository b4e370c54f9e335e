/** Limits of one report: the panel bounds what it reads. */
export const REPORT_LIMITS = { matches: 5_000, bytes: 4 * 1024 * 1024 };
