import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { legacyDay, legacyTime, readLegacyDay, startOfDay } from './legacy-time.js';

describe('legacyTime', () => {
  it('formats local time in the zone, including its day', () => {
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

  it('matches local time at every clock change, also before quarter-hour offsets', () => {
    const zones = ['Asia/Kathmandu', 'Africa/Cairo', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Monrovia'];
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1960-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
        fc.constantFrom(...zones),
        (moment, zone) => {
          const text = moment.toLocaleString('sv-SE', { timeZone: zone });
          expect(legacyTime(moment, zone)).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('rejects an invalid zone or date', () => {
    expect(() => legacyTime(new Date(), 'Mars/Base')).toThrow(RangeError);
    expect(() => legacyTime(new Date(NaN), 'UTC')).toThrow(RangeError);
  });
});

describe('startOfDay', () => {
  it('is midnight of the zone', () => {
    expect(startOfDay(new Date('2026-11-21T16:05:09.999Z'), 'Asia/Shanghai').toISOString()).toBe('2026-11-21T16:00:00.000Z');
    expect(startOfDay(new Date('2026-11-21T15:59:59.999Z'), 'Asia/Shanghai').toISOString()).toBe('2026-11-20T16:00:00.000Z');
    expect(startOfDay(new Date('2026-03-29T12:00:00Z'), 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z');
    // Clocks go from 24:00 to 01:00 here.
    expect(startOfDay(new Date('2026-04-24T12:00:00Z'), 'Africa/Cairo').toISOString()).toBe('2026-04-23T22:00:00.000Z');
  });

  it('is the first moment of its day, in every zone and at every change of the clocks', () => {
    const zones = [
      'UTC',
      'Asia/Shanghai',
      'Asia/Kathmandu',
      'Africa/Cairo',
      'America/Santiago',
      'America/Los_Angeles',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    const moments = fc.date({ min: new Date('2015-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
        const begin = startOfDay(moment, zone);
        expect(begin.getTime()).toBeLessThanOrEqual(moment.getTime());
        expect(legacyDay(begin, zone)).toBe(legacyDay(moment, zone));
        expect(legacyDay(new Date(begin.getTime() - 1), zone)).not.toBe(legacyDay(moment, zone));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('readLegacyDay', () => {
  it('parses a time with an offset as the day in the zone, and one without as local time', () => {
    expect(['Asia/Shanghai', 'UTC', 'America/New_York'].map((zone) => readLegacyDay('1799078400', zone))).toEqual([
      '2027-01-05',
      '2027-01-04',
      '2027-01-04',
    ]);
    expect(['Asia/Shanghai', 'UTC'].map((zone) => readLegacyDay('2027-01-04T20:00:00Z', zone))).toEqual(['2027-01-05', '2027-01-04']);
    expect(['Asia/Shanghai', 'UTC'].map((zone) => readLegacyDay('2027-01-04 23:59', zone))).toEqual(['2027-01-04', '2027-01-04']);
  });

  it('parses every day in every format', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1974-01-01'), max: new Date('2200-12-31'), noInvalidDate: true }), (moment) => {
        const day = moment.toISOString().slice(0, 10);
        const [year, month, date] = day.split('-').map(Number);
        const seconds = String(Math.floor(moment.getTime() / 1_000));
        for (const text of [day, `${year}/${month}/${date}`, moment.toISOString(), seconds]) expect(readLegacyDay(text, 'UTC')).toBe(day);
      }),
    );
  });

  it('rejects unknown formats', () => {
    fc.assert(fc.property(fc.string(), (text) => readLegacyDay(`x${text}`, 'UTC') === undefined));
    expect(readLegacyDay('1799078400000', 'UTC')).toBeUndefined();
    expect([undefined, '', '0', '0000-00-00 00:00:00'].map((text) => readLegacyDay(text, 'UTC'))).toEqual([null, null, null, null]);
  });
});
