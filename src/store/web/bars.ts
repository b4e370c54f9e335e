import { DAY_MS } from '../../common/index.js';

/** Height of a chart, in its own units. */
const CHART_HEIGHT = 100;

/** The bars of a chart of the last days, oldest first; a day that is not named had none. */
export function barsOf(days: readonly { readonly day: string; readonly downloads: number }[], count: number): object[] {
  const byDay = new Map(days.map((row) => [row.day, row.downloads]));
  const most = Math.max(...byDay.values(), 1);
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.now() - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    const height = Math.max(1, ((byDay.get(day) ?? 0) / most) * (CHART_HEIGHT - 2));
    return { x: i * 10 + 1, y: CHART_HEIGHT - height, height };
  });
}

/** The same lying: a bar for each of some things, the longest 100. */
export const sharesOf = <Row extends { readonly downloads: number }>(rows: readonly Row[]): (Row & { share: number })[] => {
  const most = Math.max(...rows.map(({ downloads }) => downloads), 1);
  return rows.map((row) => ({ ...row, share: Math.max(1, Math.round((row.downloads / most) * 100)) }));
};
