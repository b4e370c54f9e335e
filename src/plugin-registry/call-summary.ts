import type { CallStatistics, LogVolume } from '../common/index.js';

/** What the plugin list tells of all calls into one plugin since it was activated. Times in milliseconds. */
export interface CallSummary {
  readonly calls: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Average over all calls. */
  readonly mean: number;
  readonly longest: number;
  /** Callbacks that are not called for a while, because they missed their deadline again and again. */
  readonly paused: number;
}

/** The figures of one plugin's places together. */
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

/** Milliseconds for people and programs: two digits behind the point are noise already. */
export function milliseconds(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Kilobytes of log for people, rounded up. */
export function kilobytes({ bytes }: LogVolume): number {
  return Math.ceil(bytes / 1024);
}
