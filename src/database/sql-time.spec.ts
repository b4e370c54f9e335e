import fc from 'fast-check';
import { expect, it } from 'vitest';

import { fromSqlTime, toSqlTime } from './sql-time.js';

it('returns the stored time, to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
      (moment) => {
        expect(toSqlTime(moment)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
        expect(fromSqlTime(toSqlTime(moment))).toEqual(moment);
      },
    ),
  );
});

it('reads times without milliseconds, and null as null', () => {
  expect(fromSqlTime('2026-11-21 04:05:06')).toEqual(new Date('2026-11-21T04:05:06Z'));
  expect(fromSqlTime(null)).toBeNull();
});
