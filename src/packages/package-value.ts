import { daysBetween } from '../common/index.js';
import { monthsAfter } from '../hosting/index.js';
import type { PackageOffer } from '../sdk/index.js';

/** A paid period. */
export interface PaidTime {
  /** Amount minus refunds, in fen. */
  readonly fen: number;
  readonly months: number;
  readonly fromDay: string;
  readonly untilDay: string;
}

/** Today and the host's expiry date. */
export interface Span {
  readonly today: string;
  readonly expiresOn: string;
}

/** Remaining days of a host; 0 on its last day and later. */
export function daysLeft({ today, expiresOn }: Span): number {
  return Math.max(0, daysBetween(today, expiresOn));
}

/** Remaining value of payments in fen, pro rata by remaining days. Never increases over time. */
export function worthOf(paid: readonly PaidTime[], { today, expiresOn }: Span): number {
  let worth = 0;
  for (const { fen, fromDay, untilDay } of paid) {
    const days = daysBetween(fromDay, untilDay);
    const left = daysBetween(fromDay > today ? fromDay : today, untilDay < expiresOn ? untilDay : expiresOn);
    if (days > 0 && left > 0) worth += Math.floor((fen * left) / days);
  }
  return worth;
}

/**
 * Returns the period length in months whose price applies to the remaining days: the longest current purchase, or 1 if there is none. This
 * prevents getting the rate of three years for a few days.
 */
export function rateMonths(paid: readonly PaidTime[], today: string): number {
  return Math.max(1, ...paid.filter(({ untilDay }) => untilDay > today).map(({ months }) => months));
}

/**
 * Price of the remaining days in a package, in fen: by the rate of the given period, else of the next shorter one offered, else of the
 * shortest.
 */
export function priceOfRest({ prices }: Pick<PackageOffer, 'prices'>, months: number, span: Span): number {
  const sold = [...prices].sort((a, b) => a.months - b.months);
  const by = sold.filter((one) => one.months <= months).at(-1) ?? sold[0]!;
  const period = daysBetween(monthsAfter(span.expiresOn, -by.months), span.expiresOn);
  return Math.floor((by.amount * daysLeft(span)) / period);
}

/** A package change at current prices. */
export type Change =
  /** Immediately, for the difference in fen, at least 1. */
  | { readonly when: 'now'; readonly amount: number; readonly credit: number }
  /** At the next renewal, at the new package's price. */
  | { readonly when: 'renewal' };

/** Inputs of a change. */
export interface ChangeTerms extends Span {
  /** Current package, if still offered. */
  readonly from: PackageOffer | undefined;
  readonly to: PackageOffer;
  readonly paid: readonly PaidTime[];
}

/**
 * Computes a change. To a package whose remaining days cost more: immediately, for the difference. The remaining value of payments is
 * credited, at most up to the current cost of the days, so that coupons, individual prices and refunds do not discount the next package. To
 * a package of equal or lower cost, or without remaining days: at the renewal.
 */
export function changeOf({ from, to, paid, today, expiresOn }: ChangeTerms): Change {
  const span = { today, expiresOn };
  const months = rateMonths(paid, today);
  const worth = worthOf(paid, span);
  const before = from ? priceOfRest(from, months, span) : worth;
  const after = priceOfRest(to, months, span);
  if (after <= before) return { when: 'renewal' };
  const credit = Math.min(before, worth);
  return { when: 'now', amount: after - credit, credit };
}
