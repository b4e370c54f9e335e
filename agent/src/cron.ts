import { clip } from './text.js';

/**
 * Parses a cron expression of five fields with lists, ranges, steps and `*`; Sunday is 0 and 7. As in cron, when both day of month and day
 * of week are given, one of them is enough.
 *
 * @returns a function that tells whether a minute matches, in the time zone of this server
 * @throws Error naming the field
 */
export function parseCron(expression: string): (date: Date) => boolean {
  const fields = expression.trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (
    fields.length !== 5 ||
    minute === undefined ||
    hour === undefined ||
    day === undefined ||
    month === undefined ||
    weekday === undefined
  )
    throw new Error(`"${clip(expression, 60)}" must have five fields: minute, hour, day, month, weekday`);
  const minutes = cronField(minute, 'minute', 0, 59);
  const hours = cronField(hour, 'hour', 0, 23);
  const days = cronField(day, 'day', 1, 31);
  const months = cronField(month, 'month', 1, 12);
  const weekdays = cronField(weekday, 'weekday', 0, 7);
  if (weekdays.has(7)) weekdays.add(0);
  const anyDay = day.startsWith('*');
  const anyWeekday = weekday.startsWith('*');
  return (date) => {
    if (!minutes.has(date.getMinutes()) || !hours.has(date.getHours()) || !months.has(date.getMonth() + 1)) return false;
    const isDay = days.has(date.getDate());
    const isWeekday = weekdays.has(date.getDay());
    return anyDay || anyWeekday ? isDay && isWeekday : isDay || isWeekday;
  };
}

function cronField(field: string, name: string, min: number, max: number) {
  const values: Set<number> = new Set();
  for (const part of field.split(',')) {
    const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (found === null) throw new Error(`${name} "${clip(part, 20)}" cannot be read`);
    const step = found[3] === undefined ? 1 : Number(found[3]);
    const from = found[1] === undefined ? min : Number(found[1]);
    const to = found[2] !== undefined ? Number(found[2]) : found[1] === undefined || found[3] !== undefined ? max : from;
    if (from < min || to > max || from > to || step === 0) throw new Error(`${name} "${clip(part, 20)}" must be from ${min} to ${max}`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}
