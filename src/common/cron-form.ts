/** Least and most of each field: minute, hour, day, month, weekday (Sunday is 0 and 7). */
const RANGES: readonly (readonly [least: number, most: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];
const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** Whether an agent can read a cron expression: five fields of lists, ranges, steps and `*`, each within what a clock shows. */
export function isCron(expression: unknown): boolean {
  if (typeof expression !== 'string') return false;
  const fields = expression.trim().split(/\s+/);
  return fields.length === RANGES.length && fields.every((field, i) => field.split(',').every((part) => isWithin(part, ...RANGES[i]!)));
}

function isWithin(part: string, least: number, most: number): boolean {
  const found = PART.exec(part);
  if (!found) return false;
  const [from = least, to = from, step = 1] = found
    .slice(1)
    .map((digits: string | undefined) => (digits === undefined ? undefined : Number(digits)));
  return least <= from && from <= to && to <= most && step > 0;
}
