import type { StatUnit } from '../entities/index.js';

/** Length of each unit in milliseconds. */
export const UNIT_MS: Readonly<Record<StatUnit, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** How long aggregates of each unit are kept, in milliseconds. */
export const KEPT_MS: Readonly<Record<StatUnit, number>> = { m: 2 * UNIT_MS.d, h: 31 * UNIT_MS.d, d: 366 * UNIT_MS.d };

/** How long single checks are kept, in milliseconds. */
export const LOG_KEPT_MS = 3 * UNIT_MS.d;

/** Returns the start of the period that contains a time. */
export const beginOf = (unit: StatUnit, moment: Date): Date => new Date(Math.floor(moment.getTime() / UNIT_MS[unit]) * UNIT_MS[unit]);

/** Ranges of statistics. */
export const RANGES = {
  '24h': { ms: UNIT_MS.d, unit: 'm', points: 96 },
  '7d': { ms: 7 * UNIT_MS.d, unit: 'h', points: 84 },
  '30d': { ms: 30 * UNIT_MS.d, unit: 'h', points: 90 },
  '1y': { ms: 365 * UNIT_MS.d, unit: 'd', points: 73 },
} as const satisfies Record<string, { ms: number; unit: StatUnit; points: number }>;

/** One of {@link RANGES}. */
export type Range = keyof typeof RANGES;
