import fc from 'fast-check';
import { expect, it } from 'vitest';

import { legacyTime } from '../common/index.js';

import { lastDue, nextDue } from './due-times.js';

const ZONES = ['UTC', 'Asia/Shanghai', 'Asia/Kathmandu', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Africa/Cairo'];
const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
const times = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const job = { owner: 'core', name: 'job', run: () => undefined };

it('a daily job is due next when clocks show its time, within a day and an hour, and last at most a day before', () => {
  fc.assert(
    fc.property(moments, times, fc.constantFrom(...ZONES), (now, dailyAt, zone) => {
      const next = nextDue({ ...job, dailyAt }, now, zone);
      const last = lastDue({ ...job, dailyAt }, now, zone);
      expect(next.getTime()).toBeGreaterThan(now.getTime());
      expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(26 * 3_600_000);
      // Where clocks skip the time of a day, the first that they show afterwards counts.
      expect(legacyTime(next, zone).slice(11, 16) >= dailyAt).toBe(true);
      if (last) expect(legacyTime(last, zone).slice(0, 10)).toBe(legacyTime(now, zone).slice(0, 10));
      expect(lastDue({ ...job, dailyAt }, next, zone)).toEqual(next);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['2026-11-20T19:30:00Z', '04:10', 'Asia/Shanghai', null, '2026-11-20T20:10:00.000Z'],
  ['2026-11-20T20:10:00Z', '04:10', 'Asia/Shanghai', '2026-11-20T20:10:00.000Z', '2026-11-21T20:10:00.000Z'],
  // Clocks go from 02:00 to 03:00 on that day, and from 03:00 to 02:00 in autumn.
  ['2026-03-29T00:30:00Z', '02:30', 'Europe/Berlin', null, '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T03:00:00Z', '04:10', 'Europe/Berlin', null, '2026-10-25T03:10:00.000Z'],
])('at %s a job of %s in %s was due at %s and is due at %s', (now, dailyAt, zone, last, next) => {
  expect(lastDue({ ...job, dailyAt }, new Date(now), zone)?.toISOString() ?? null).toBe(last);
  expect(nextDue({ ...job, dailyAt }, new Date(now), zone).toISOString()).toBe(next);
});

it('a repeated job is due at the minutes of the UTC day its period divides', () => {
  const at = new Date('2026-11-20T19:07:12.345Z');
  expect(lastDue({ ...job, everyMinutes: 5 }, at, 'UTC')).toEqual(new Date('2026-11-20T19:05:00Z'));
  expect(nextDue({ ...job, everyMinutes: 5 }, at, 'UTC')).toEqual(new Date('2026-11-20T19:10:00Z'));
});
