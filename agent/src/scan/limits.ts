/** Limits of one report, because the panel limits request sizes. */
export const REPORT_LIMITS = { matches: 5_000, bytes: 4 * 1024 * 1024 };
