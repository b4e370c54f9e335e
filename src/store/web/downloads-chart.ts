import { DAY_MS, translate, type Locale } from '../../common/index.js';
import type { Chart } from '../../web/index.js';

import { dayText, numberText } from './formats.js';

/** Downloads of a day, UTC. */
interface DayNumbers {
  readonly day: string;
  readonly downloads: number;
  readonly visitors: number;
}

/**
 * Downloads and visitors of the last days, oldest first; a day that is not named had none. Undefined where there were none at all: an
 * empty drawing says nothing.
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
