/** Names of the periods in forms and APIs, shortest first. */
export const PERIOD_NAMES = ['month', 'quarter', 'half_year', 'year', 'two_year', 'three_year'] as const;

/** A billing period. */
export type Period = (typeof PERIOD_NAMES)[number];

/** Length of each period, in months. */
export const PERIODS: Readonly<Record<Period, number>> = { month: 1, quarter: 3, half_year: 6, year: 12, two_year: 24, three_year: 36 };

/** Price per period, in fen; a missing period is not sold. */
export type Prices = Readonly<Partial<Record<Period, number>>>;

/** Whether a text is the name of a period. */
export function isPeriod(name: string): name is Period {
  return Object.hasOwn(PERIODS, name);
}

/** Returns the period with that many months. */
export function periodOf(months: number): Period | undefined {
  return PERIOD_NAMES.find((name) => PERIODS[name] === Number(months));
}

/** Reads the prices of a row: its columns `periods` and `price_…`. */
export function pricesOf(row: Readonly<Record<string, unknown>>): Prices {
  const sold = String(row.periods).split(',');
  return Object.fromEntries(
    PERIOD_NAMES.filter((name) => sold.includes(name)).map((name) => [name, Number(row[`price_${name}`])]),
  ) as Prices;
}

/** Column names for {@link priceValues}. */
export const PRICE_COLUMNS: readonly string[] = ['periods', ...PERIOD_NAMES.map((name) => `price_${name}`)];

/** Returns the values of {@link PRICE_COLUMNS} for these prices. */
export function priceValues(prices: Prices): (string | number)[] {
  const sold = PERIOD_NAMES.filter((name) => prices[name] !== undefined);
  return [sold.join(','), ...PERIOD_NAMES.map((name) => prices[name] ?? 0)];
}

/**
 * Returns the last day of an account that starts now: the same day `months` later, or the last day of a shorter month.
 *
 * @param timezone IANA time zone of the days
 * @returns `YYYY-MM-DD`
 */
export function lastDay(now: Date, months: number, timezone: string): string {
  const [year, month, day] = today(now, timezone).split('-').map(Number) as [number, number, number];
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, daysInMonth))).toISOString().slice(0, 10);
}

/** Returns the last day of a trial that starts now; today does not count. */
export function lastTrialDay(now: Date, days: number, timezone: string): string {
  return new Date(Date.parse(today(now, timezone)) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the current day in a time zone, `YYYY-MM-DD`. */
export function today(now: Date, timezone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now);
}
