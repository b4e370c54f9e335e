import { describe, expect, it } from 'vitest';

import { CronExpression } from './cron-expression.js';

const ZONE = 'Asia/Shanghai';
const next = (text: string, from: string, zone = ZONE): string => new CronExpression(text).next(new Date(from), zone).toISOString();

describe('a cron expression', () => {
  it('matches the minutes in which clocks of the zone show its time', () => {
    const at = (text: string, moment: string): boolean => new CronExpression(text).matches(new Date(moment), ZONE);
    // 03:30 in Shanghai.
    expect(at('30 3 * * *', '2026-11-26T19:30:59Z')).toBe(true);
    expect(at('30 3 * * *', '2026-11-26T19:31:00Z')).toBe(false);
    expect(at('30 3 * * *', '2026-11-26T03:30:00Z')).toBe(false);
    // The 27th there, a Friday.
    expect(at('* * 27 11 *', '2026-11-26T16:00:00Z')).toBe(true);
    expect(at('* * * * 5', '2026-11-26T16:00:00Z')).toBe(true);
    expect(at('* * * * 4', '2026-11-26T16:00:00Z')).toBe(false);
  });

  it.each([
    ['*/15 * * * *', '2026-11-27T00:00:00Z', '2026-11-27T00:15:00.000Z'],
    ['0 0 1 * *', '2026-11-27T00:00:00Z', '2026-11-30T16:00:00.000Z'],
    ['5,50-55/5 8-10 * * *', '2026-11-27T00:06:00Z', '2026-11-27T00:50:00.000Z'],
    ['0 12 29 2 *', '2026-11-27T00:00:00Z', '2028-02-29T04:00:00.000Z'],
    // Sunday is 0 and 7; day and weekday together mean either.
    ['0 0 * * 7', '2026-11-27T00:00:00Z', '2026-11-28T16:00:00.000Z'],
    ['0 0 13 * 5', '2026-11-27T16:00:00Z', '2026-12-03T16:00:00.000Z'],
    // From 10 on, every twenty.
    ['10/20 * * * *', '2026-11-27T00:31:00Z', '2026-11-27T00:50:00.000Z'],
  ])('%s comes after %s at %s', (text, from, wanted) => expect(next(text, from)).toBe(wanted));

  it('leaves out a time that clocks skip', () => {
    expect(next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-30T00:30:00.000Z');
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '5-1 * * * *',
    '*/0 * * * *',
    'x * * * *',
    '@daily',
    '1,,2 * * * *',
  ])('refuses "%s"', (text) => expect(() => new CronExpression(text)).toThrow(/is not a cron expression/));

  it('refuses a time that never comes', () => {
    expect(() => new CronExpression('0 0 31 2,4 *')).toThrow(/never matches a time/);
    expect(() => new CronExpression('0 0 31 2,4 1')).not.toThrow();
  });
});
