import { describe, expect, it } from 'vitest';

import { SHOWN_DAYS, dayBars, firstDay } from './day-bars.js';

const NOW = new Date('2027-03-10T00:20:00.000Z');
const sum = (at: string, checks: number, oks: number) => ({ at: new Date(at), checks, oks });

describe('the bars of a status page', () => {
  it('cover ninety days with today last, grey on days without checks', () => {
    const { bars, percent } = dayBars({ days: [], hours: [], minutes: [] }, NOW);
    expect(bars).toHaveLength(SHOWN_DAYS);
    expect([bars[0]!.day, bars.at(-1)!.day]).toEqual(['2026-12-11', '2027-03-10']);
    expect(bars.every((bar) => bar.level === 'none' && bar.percent === null)).toBe(true);
    expect(percent).toBeNull();
    expect(firstDay(NOW).toISOString()).toBe('2026-12-11T00:00:00.000Z');
  });

  it('compute a day without a daily summary from its hours and minutes, and others from the summary only', () => {
    const days = [sum('2027-03-08T00:00:00Z', 1000, 999), sum('2027-03-07T00:00:00Z', 1000, 1000)];
    const hours = [sum('2027-03-08T23:00:00Z', 60, 0), sum('2027-03-09T22:00:00Z', 60, 60), sum('2027-03-09T23:00:00Z', 60, 57)];
    const minutes = [
      sum('2027-03-08T23:59:00Z', 10, 0),
      sum('2027-03-09T23:59:00Z', 10, 0),
      sum('2027-03-10T00:00:00Z', 6, 0),
      sum('2027-03-10T00:01:00Z', 4, 0),
    ];
    const { bars, percent } = dayBars({ days, hours, minutes }, NOW);
    expect(bars.slice(-4).map(({ day, percent: of, level }) => [day.slice(5), of, level])).toEqual([
      ['03-07', 100, 'good'],
      ['03-08', 99.9, 'good'],
      ['03-09', 97.5, 'some'],
      ['03-10', 0, 'bad'],
    ]);
    expect(percent).toBe(Math.floor(((1000 + 999 + 117) / 2130) * 10_000) / 100);
  });
});
