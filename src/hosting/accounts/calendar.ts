/** Whether `text` is a real day written `YYYY-MM-DD`, from year 1970. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1970') return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day it is at `moment` in `timezone`, `YYYY-MM-DD`. */
export function dayIn(timezone: string, moment: Date): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timezone, format);
  }
  return format.format(moment);
}

/** Whether an account with this last day (null: none) has expired on `today`: it runs to the end of its last day. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}
