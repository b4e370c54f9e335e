import { legacyTime, translate, type Locale } from '../../common/index.js';
import type { Chart } from '../../web/index.js';

import type { StatPoint } from './monitor-stats.js';
import type { Range } from './units.js';

/** Points on the wire. */
export const pointsWire = (points: readonly StatPoint[], timezone: string): object[] =>
  points.map(({ at, checks, oks, ms }) => ({ at: legacyTime(at, timezone), checks, oks, ms }));

/** Formats a percentage with at most two decimals, or a dash. */
export const percent = (value: number | null): string => (value === null ? '–' : `${value} %`);

/** Returns the data of the partial `chart`: response times and failures. */
export function responseChart(points: readonly StatPoint[], range: Range, locale: Locale, timezone: string): Chart {
  return {
    title: translate(locale, `monitor.chart.${range}`),
    label: translate(locale, 'monitor.chart.when'),
    series: [
      { title: translate(locale, 'monitor.chart.ms'), kind: 'line' },
      { title: translate(locale, 'monitor.chart.failures'), kind: 'bar' },
    ],
    rows: points.map(({ at, checks, oks, ms }) => ({
      label: range === '24h' ? legacyTime(at, timezone).slice(11, 16) : legacyTime(at, timezone).slice(5, range === '1y' ? 10 : 16),
      values: [
        { number: ms ?? 0, text: ms === null ? '–' : `${ms} ms` },
        { number: checks - oks, text: String(checks - oks) },
      ],
    })),
  };
}
