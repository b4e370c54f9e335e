import { DAY_MS, translate, type Locale } from '../../common/index.js';
import type { Chart } from '../../web/index.js';

import { dayText, numberText } from './formats.js';

/** Downloads of one UTC day. */
interface DayNumbers {
  readonly day: string;
  readonly downloads: number;
  readonly visitors: number;
}

/**
 * Chart of downloads and visitors of the last days, oldest first; missing days count as zero. Undefined without any downloads, instead of
 * an empty chart.
 */
export function downloadsChart(locale: Locale, title: string, days: readonly DayNumbers[], count: number): Chart | undefined {
  if (days.length === 0) return undefined;
  const say = (key: string): string => translate(locale, `storePages.${key}`);
  const value = (number: number) => ({ number, text: numberText(locale, number) });
  const byDay = new Map(days.map((row) => [row.day, row]));
  return {
    title: say(title),
    label: say('stats.day'),
    series: [
      { title: say('item.downloads'), kind: 'bar' },
      { title: say('stats.visitors'), kind: 'line' },
    ],
    rows: Array.from({ length: count }, (_, i) => {
      const day = new Date(Date.now() - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10);
      const { downloads, visitors } = byDay.get(day) ?? { downloads: 0, visitors: 0 };
      return { label: dayText(locale, day), values: [value(downloads), value(visitors)] };
    }),
  };
}
