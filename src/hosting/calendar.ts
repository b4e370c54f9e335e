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
