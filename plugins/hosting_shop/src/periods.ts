/** Names of the times that are sold, as forms and the wire say them; the shortest first. */
export const PERIOD_NAMES = ['month', 'quarter', 'half_year', 'year', 'two_year', 'three_year'] as const;

/** A time that is sold. */
export type Period = (typeof PERIOD_NAMES)[number];

/** How long each of them is, in months. */
export const PERIODS: Readonly<Record<Period, number>> = { month: 1, quarter: 3, half_year: 6, year: 12, two_year: 24, three_year: 36 };

/** Fen for each time that is sold; a time that is not there is not sold. */
export type Prices = Readonly<Partial<Record<Period, number>>>;

/** Whether somebody's text is the name of a period. */
export function isPeriod(name: string): name is Period {
  return Object.hasOwn(PERIODS, name);
}

/** Name of the period of so many months. */
export function periodOf(months: number): Period | undefined {
  return PERIOD_NAMES.find((name) => PERIODS[name] === Number(months));
}

/** The prices of a row: its columns `periods` and `price_…`. */
export function pricesOf(row: Readonly<Record<string, unknown>>): Prices {
  const sold = String(row.periods).split(',');
  return Object.fromEntries(
    PERIOD_NAMES.filter((name) => sold.includes(name)).map((name) => [name, Number(row[`price_${name}`])]),
  ) as Prices;
}

/** Names of {@link priceValues}. */
export const PRICE_COLUMNS: readonly string[] = ['periods', ...PERIOD_NAMES.map((name) => `price_${name}`)];

/** What the columns of {@link PRICE_COLUMNS} are for these prices. */
export function priceValues(prices: Prices): (string | number)[] {
  const sold = PERIOD_NAMES.filter((name) => prices[name] !== undefined);
  return [sold.join(','), ...PERIOD_NAMES.map((name) => prices[name] ?? 0)];
}

/**
 * The last day of an account that starts now: the same day `months` later, or the last day of a shorter month.
 *
 * @param timezone IANA zone the days are of
 * @returns `YYYY-MM-DD`
 */
export function lastDay(now: Date, months: number, timezone: string): string {
  const [year, month, day] = today(now, timezone).split('-').map(Number) as [number, number, number];
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, daysInMonth))).toISOString().slice(0, 10);
}

/** The last day of a trial of so many days that starts now, today not counted. */
export function lastTrialDay(now: Date, days: number, timezone: string): string {
  return new Date(Date.parse(today(now, timezone)) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The day it is there, `YYYY-MM-DD`. */
export function today(now: Date, timezone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now);
}
