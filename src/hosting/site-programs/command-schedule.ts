import { type Locale, translate } from '../../common/index.js';

/** Common schedules; the first one is the default of a new command. */
export const SUGGESTED_SCHEDULES: readonly string[] = ['0 3 * * *', '*/5 * * * *', '*/15 * * * *', '0 * * * *', '0 4 * * 1', '30 4 1 * *'];

const NUMBER = /^\d{1,2}$/;

/** Describes a schedule in words if it has a common form; otherwise returns it unchanged. */
export function shownSchedule(schedule: string, locale: Locale): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.split(' ');
  const say = (form: string, params: Record<string, string | number> = {}): string =>
    translate(locale, `siteprograms.schedule_${form}`, params);
  const days = [day, month, weekday].join(' ');
  const time = NUMBER.test(minute) && NUMBER.test(hour) ? `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` : null;
  const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  if (schedule === '* * * * *') return say('minute');
  if (step !== undefined && hour === '*' && days === '* * *') return say('minutes', { n: Number(step) });
  if (NUMBER.test(minute) && hour === '*' && days === '* * *') return say('hour', { minute: minute.padStart(2, '0') });
  if (time === null) return schedule;
  if (days === '* * *') return say('day', { time });
  if (NUMBER.test(weekday) && day === '*' && month === '*')
    return say('week', { time, day: translate(locale, `siteprograms.weekday_${Number(weekday) % 7}`) });
  return NUMBER.test(day) && month === '*' && weekday === '*' ? say('month', { time, day: Number(day) }) : schedule;
}
