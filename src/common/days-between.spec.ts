import { describe, expect, it } from 'vitest';

import { daysBetween } from './days-between.js';

describe('daysBetween', () => {
  it('counts calendar days, forwards and backwards', () => {
    expect(daysBetween('2027-02-28', '2027-03-01')).toBe(1);
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
    expect(daysBetween('2026-12-31', '2027-12-31')).toBe(365);
    expect(daysBetween('2027-05-05', '2027-05-05')).toBe(0);
    expect(daysBetween('2027-03-01', '2027-02-28')).toBe(-1);
  });

  it('counts days with a clock change like any other', () => {
    // Europe puts its clocks forward on 28 March 2027 and back on 31 October.
    expect(daysBetween('2027-03-27', '2027-03-29')).toBe(2);
    expect(daysBetween('2027-10-30', '2027-11-01')).toBe(2);
  });
});
