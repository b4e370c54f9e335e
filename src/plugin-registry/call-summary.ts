import type { CallStatistics, LogVolume } from '../common/index.js';

/** Statistics of all calls into one plugin since its activation, for the plugin list. Times in milliseconds. */
export interface CallSummary {
  readonly calls: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Average over all calls. */
  readonly mean: number;
  readonly longest: number;
  /** Number of callbacks that are temporarily not called because they repeatedly exceeded their deadline. */
  readonly paused: number;
}

/** Sums up the statistics of one plugin's callbacks. */
export function summarize(places: readonly CallStatistics[]): CallSummary {
  const sum = (of: (place: CallStatistics) => number): number => places.reduce((total, place) => total + of(place), 0);
  const calls = sum((place) => place.calls);
  return {
    calls,
    errors: sum((place) => place.errors),
    timeouts: sum((place) => place.timeouts),
    mean: calls === 0 ? 0 : sum((place) => place.mean * place.calls) / calls,
    longest: Math.max(0, ...places.map((place) => place.longest)),
    paused: places.filter((place) => place.paused).length,
  };
}

/** Rounds milliseconds to two decimals; further digits are noise. */
export function milliseconds(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns the size of a log in kilobytes, rounded up. */
export function kilobytes({ bytes }: LogVolume): number {
  return Math.ceil(bytes / 1024);
}
