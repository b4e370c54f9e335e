import { describe, expect, it } from 'vitest';

import { instantOf, shownTime, timeInSentence } from './shown-time.js';

const ZONE = 'Asia/Shanghai';

describe('a displayed time', () => {
  it('is formatted for the language, whatever its input format', () => {
    for (const value of ['2026-11-21T16:05:09Z', '2026-11-22 00:05:09', '2026-11-22 00:05', Date.UTC(2026, 10, 21, 16, 5, 9)]) {
      expect(shownTime(value, 'en', ZONE)).toBe('Nov 22, 2026, 12:05 AM');
      expect(shownTime(value, 'zh-CN', ZONE)).toBe('2026年11月22日 00:05');
      expect(shownTime(value, 'en', ZONE, 'date')).toBe('Nov 22, 2026');
    }
  });

  it('is the same day everywhere where it is a day', () => {
    for (const zone of [ZONE, 'UTC', 'America/Los_Angeles']) {
      expect(shownTime('2027-01-31', 'en', zone)).toBe('Jan 31, 2027');
      expect(instantOf('2027-01-31', zone)).toBe('2027-01-31');
    }
  });

  it('is the same time for programs', () => {
    expect(instantOf('2026-11-22 00:05:09', ZONE)).toBe('2026-11-21T16:05:09.000Z');
    expect(instantOf('2026-11-21T16:05:09Z', ZONE)).toBe('2026-11-21T16:05:09.000Z');
  });

  it('is empty for invalid input', () => {
    for (const value of ['', '–', 'Never', 'Plan 2', '0000-00-00', '2026-02-30x', '2026-13-01', null, undefined, {}, Number.NaN]) {
      expect(shownTime(value, 'en', ZONE)).toBe('');
      expect(instantOf(value, ZONE)).toBe('');
    }
  });
});

describe('a time inside a sentence', () => {
  it.each([
    ['2026-11-21T16:05:59.999Z', ZONE, '2026-11-22 00:05 UTC+8'],
    ['2026-11-21T16:05:09Z', 'UTC', '2026-11-21 16:05 UTC'],
    ['2026-11-21T16:05:09Z', 'America/St_Johns', '2026-11-21 12:35 UTC-3:30'],
    ['2026-11-21T16:05:09Z', 'Asia/Kathmandu', '2026-11-21 21:50 UTC+5:45'],
    ['2026-07-01T00:00:00Z', 'Europe/Berlin', '2026-07-01 02:00 UTC+2'],
    ['2026-12-31T23:30:00Z', 'Europe/Berlin', '2027-01-01 00:30 UTC+1'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00 UTC+2'],
    ['1901-01-01T12:00:00Z', 'America/New_York', '1901-01-01 07:00 UTC-5'],
  ])('%s in %s', (moment, zone, said) => {
    expect(timeInSentence(new Date(moment), zone)).toBe(said);
  });
});
