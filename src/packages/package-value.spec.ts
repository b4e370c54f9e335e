import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { dayAfter, monthsAfter } from '../hosting/index.js';
import type { PackageOffer } from '../sdk/index.js';

import { changeOf, worthOf, type PaidTime } from './package-value.js';

const offerOf = (name: string, month: number): PackageOffer => ({
  package: `test:${name}`,
  name,
  prices: [
    { months: 1, amount: month },
    { months: 12, amount: month * 10 },
  ],
  limits: {},
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ kind: fc.constant('renew' as const), months: fc.constantFrom(1, 12), percent: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ kind: fc.constant('change' as const), to: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('refund' as const), which: fc.nat(20), fen: fc.nat(5_000) }),
  fc.record({ kind: fc.constant('move' as const), days: fc.integer({ min: -20, max: 20 }) }),
);

describe('what a change of package costs', () => {
  it('agrees to the fen in any order of changes, renewals, refunds and moved days: never negative, never worth more than was paid', () => {
    const prices = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(prices, fc.array(step, { maxLength: 30 }), (monthly, steps) => {
        const offers = monthly.map((price, at) => offerOf(String(at), price));
        let [today, expiresOn, at] = ['2027-01-31', '2027-02-28', 0];
        const paid: { -readonly [Key in keyof PaidTime]: PaidTime[Key] }[] = [];
        for (const one of steps) {
          const before = worthOf(paid, { today, expiresOn });
          let added = 0;
          if (one.kind === 'wait') today = dayAfter(today, one.days);
          else if (one.kind === 'renew') {
            const fromDay = expiresOn >= today ? expiresOn : today;
            expiresOn = monthsAfter(fromDay, one.months);
            added = Math.floor((offers[at]!.prices.find(({ months }) => months === one.months)!.amount * one.percent) / 100);
            paid.push({ fen: added, months: one.months, fromDay, untilDay: expiresOn });
          } else if (one.kind === 'change' && one.to !== at) {
            const change = changeOf({ from: offers[at], to: offers[one.to]!, paid, today, expiresOn });
            if (change.when === 'now') {
              expect(change.amount).toBeGreaterThanOrEqual(1);
              expect(change.credit).toBeGreaterThanOrEqual(0);
              expect(change.credit).toBeLessThanOrEqual(before);
              expect(expiresOn > today).toBe(true);
              added = change.amount;
              paid.push({ fen: added, months: 0, fromDay: today, untilDay: expiresOn });
              at = one.to;
            } else if (expiresOn > today) continue;
          } else if (one.kind === 'refund' && paid.length > 0) {
            const row = paid[one.which % paid.length]!;
            row.fen = Math.max(0, row.fen - one.fen);
          } else if (one.kind === 'move') {
            const moved = dayAfter(expiresOn, one.days);
            // A day that is moved back and forth brings back what was paid, and nothing else.
            expiresOn = moved;
            expect(worthOf(paid, { today, expiresOn })).toBeLessThanOrEqual(paid.reduce((sum, { fen }) => sum + fen, 0));
            continue;
          }
          const after = worthOf(paid, { today, expiresOn });
          expect(after).toBeGreaterThanOrEqual(0);
          expect(after).toBeLessThanOrEqual(paid.reduce((sum, { fen }) => sum + fen, 0));
          // A renewal makes a day count again that was moved away; nothing else does.
          if (one.kind !== 'renew') expect(after).toBeLessThanOrEqual(before + added);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives nobody the days of a month at the price of a year', () => {
    const [from, to] = [offerOf('a', 3_100), offerOf('b', 6_200)];
    const span = { today: '2027-01-01', expiresOn: '2027-02-01' };
    const month = { fen: 3_100, months: 1, fromDay: '2027-01-01', untilDay: '2027-02-01' };
    expect(changeOf({ from, to, paid: [month], ...span })).toEqual({ when: 'now', amount: 3_100, credit: 3_100 });
    const year = { fen: 31_000, months: 12, fromDay: '2026-02-01', untilDay: '2027-02-01' };
    const credit = Math.floor((31_000 * 31) / 365);
    expect(changeOf({ from, to, paid: [year], ...span })).toEqual({
      when: 'now',
      amount: Math.floor((62_000 * 31) / 365) - credit,
      credit,
    });
  });
});
