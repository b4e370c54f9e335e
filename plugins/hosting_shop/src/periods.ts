/** How long one can buy, in months. */
export const PERIODS: Readonly<Record<string, number>> = { month: 1, quarter: 3, half_year: 6, year: 12, two_year: 24, three_year: 36 };

/** Name of the period of so many months. */
export function periodOf(months: number): string | undefined {
  return Object.keys(PERIODS).find((name) => PERIODS[name] === Number(months));
}

/**
 * The last day of an account that starts now: the same day `months` later, or the last day of a shorter month.
 *
 * @param timezone IANA zone the days are of
 * @returns `YYYY-MM-DD`
 */
export function lastDay(now: Date, months: number, timezone: string): string {
  const [year, month, day] = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now).split('-').map(Number) as [
    number,
    number,
    number,
  ];
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, daysInMonth))).toISOString().slice(0, 10);
}
