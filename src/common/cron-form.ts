/** Range of each field: minute, hour, day, month, weekday (Sunday is 0 and 7). */
const RANGES: readonly (readonly [min: number, max: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];
const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** Returns whether an agent can run a cron expression: five fields of lists, ranges, steps and `*`, each within its range. */
export function isCron(expression: unknown): boolean {
  if (typeof expression !== 'string') return false;
  try {
    readCron(expression);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the values of each field of a cron expression: minute, hour, day, month, weekday. The syntax is that of {@link isCron}; Sunday
 * is both 0 and 7.
 *
 * @throws Error naming the invalid part
 */
export function readCron(expression: string): readonly ReadonlySet<number>[] {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== RANGES.length)
    throw new Error(`"${expression}" is not a cron expression: it needs five fields, ` + 'such as 30 3 * * *.');
  const values = RANGES.map(([min, max], i) => valuesOf(fields[i]!, min, max, expression));
  if (values[4]!.has(7)) values[4]!.add(0);
  return values;
}

function valuesOf(field: string, min: number, max: number, expression: string): Set<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const found = PART.exec(part);
    const [, first, last, every] = found ?? [];
    const from = first === undefined ? min : Number(first);
    // `5/10` means every ten, starting at 5.
    const to = last !== undefined ? Number(last) : first === undefined || every !== undefined ? max : from;
    const step = Number(every ?? 1);
    if (!found || from < min || to > max || from > to || step < 1)
      throw new Error(`"${expression}" is not a cron expression: "${part}" is not within ${min}-${max}.`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}
