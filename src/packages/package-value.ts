import { daysBetween } from '../common/index.js';
import { monthsAfter } from '../hosting/index.js';
import type { PackageOffer } from '../sdk/index.js';

/** A time that was paid for. */
export interface PaidTime {
  /** What of it was not given back, in fen. */
  readonly fen: number;
  readonly months: number;
  readonly fromDay: string;
  readonly untilDay: string;
}

/** When a host is looked at, and its last day. */
export interface Span {
  readonly today: string;
  readonly expiresOn: string;
}

/** Days a host has left; 0 on its last day and after it. */
export function daysLeft({ today, expiresOn }: Span): number {
  return Math.max(0, daysBetween(today, expiresOn));
}

/** What is left of what was paid, in fen: each time by the days it still covers. It never grows by itself. */
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
 * The months whose price the days that are left are reckoned by: those of the longest time that was bought and is not over; 1 where nothing
 * was. So nobody gets the price of three years for some days.
 */
export function rateMonths(paid: readonly PaidTime[], today: string): number {
  return Math.max(1, ...paid.filter(({ untilDay }) => untilDay > today).map(({ months }) => months));
}

/**
 * What the days that are left cost at a package's price, in fen: of the time that fits, else the next shorter one it
 * is sold for, else its shortest.
 */
export function priceOfRest({ prices }: Pick<PackageOffer, 'prices'>, months: number, span: Span): number {
  const sold = [...prices].sort((a, b) => a.months - b.months);
  const by = sold.filter((one) => one.months <= months).at(-1) ?? sold[0]!;
  const period = daysBetween(monthsAfter(span.expiresOn, -by.months), span.expiresOn);
  return Math.floor((by.amount * daysLeft(span)) / period);
}

/** A change of package as it would be now. */
export type Change =
  /** At once, for the difference, in fen from 1 on. */
  | { readonly when: 'now'; readonly amount: number; readonly credit: number }
  /** With the next renewal, which costs what the new package does. */
  | { readonly when: 'renewal' };

/** What decides about a change. */
export interface ChangeTerms extends Span {
  /** The package it is of, where it is still known. */
  readonly from: PackageOffer | undefined;
  readonly to: PackageOffer;
  readonly paid: readonly PaidTime[];
}

/**
 * To a package whose days cost more: at once, for what they cost more. What was paid counts as far as it is left, and at most as much as
 * the days cost now; so a coupon, a price of one's own and a refund are no discount on the next package. To one that costs as much or less,
 * and where no day is left: with the renewal.
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
