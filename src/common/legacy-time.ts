const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter costs a hundred times what using one does, and there is one zone a process. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/**
 * A moment as the panel's legacy fields write it: `Y-m-d H:i:s` in `zone`.
 *
 * @param moment from 1600 on: earlier days come out in the Julian calendar
 * @param zone IANA name, such as `Asia/Shanghai`
 * @throws RangeError for an unknown zone or a date that is none
 * @example
 * ```ts
 * legacyTime(new Date('2026-11-21T16:05:09Z'), 'Asia/Shanghai'); // "2026-11-22 00:05:09"
 * ```
 */
export function legacyTime(moment: Date, zone: string): string {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(moment)) part[type] = value;
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`;
}

/** The day of {@link legacyTime}: `YYYY-MM-DD` in `zone`. */
export function legacyDay(moment: Date, zone: string): string {
  return legacyTime(moment, zone).slice(0, 10);
}

const HOUR_MS = 3_600_000;

/** When the day that `moment` belongs to in `zone` began there; where clocks skip midnight, when they had skipped it. */
export function startOfDay(moment: Date, zone: string): Date {
  const day = legacyDay(moment, zone);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let begin = midnight;
  // The offset depends on the moment looked for: the second round corrects the first where they differ.
  for (let round = 0; round < 2; round += 1) begin = midnight - offsetOf(new Date(begin), zone);
  return new Date(legacyDay(new Date(begin), zone) === day ? begin : begin + HOUR_MS);
}

/** How far the clocks of `zone` are ahead of UTC, in milliseconds. */
function offsetOf(moment: Date, zone: string): number {
  return Date.parse(`${legacyTime(moment, zone).replace(' ', 'T')}Z`) - Math.floor(moment.getTime() / 1_000) * 1_000;
}
