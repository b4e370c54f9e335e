import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { legacyDay, legacyTime } from './legacy-time.js';

describe('legacyTime', () => {
  it('writes the wall clock of the zone, with a day of its own', () => {
    const moment = new Date('2026-11-21T16:05:09.999Z');
    expect(legacyTime(moment, 'Asia/Shanghai')).toBe('2026-11-22 00:05:09');
    expect(legacyDay(moment, 'Asia/Shanghai')).toBe('2026-11-22');
    expect(legacyTime(moment, 'UTC')).toBe('2026-11-21 16:05:09');
    expect(legacyDay(moment, 'America/New_York')).toBe('2026-11-21');
  });

  it('follows daylight saving', () => {
    expect(legacyTime(new Date('2026-03-29T00:59:59Z'), 'Europe/Berlin')).toBe('2026-03-29 01:59:59');
    expect(legacyTime(new Date('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29 03:00:00');
  });

  it('is the ISO text at UTC for any moment', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1600-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (moment) => {
        expect(legacyTime(moment, 'UTC')).toBe(moment.toISOString().slice(0, 19).replace('T', ' '));
      }),
    );
  });

  it('refuses what is no zone or no date', () => {
    expect(() => legacyTime(new Date(), 'Mars/Base')).toThrow(RangeError);
    expect(() => legacyTime(new Date(NaN), 'UTC')).toThrow(RangeError);
  });
});
