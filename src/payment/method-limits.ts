import { MAX_AMOUNT, toFen, toYuan } from '../common/index.js';
import { type PaymentMethodRecord, currency } from '../sdk/index.js';

import { PaymentError } from './errors.js';
import type { Gateway } from './payment-registry.js';
import { payType } from './payment-type.js';

/** Least and most amount, in fen, both included. */
export interface AmountRange {
  readonly least: number;
  readonly most: number;
}

/** What a reseller says of the amounts of a method. */
type OwnLimits = Pick<PaymentMethodRecord, 'min' | 'max'>;

/** The narrower of what a gateway takes and what the reseller lets its method take. */
export function rangeOf({ limits }: Gateway, { min = 0, max = MAX_AMOUNT }: OwnLimits = {}): AmountRange {
  return { least: Math.max(limits.least, min), most: Math.min(limits.most, max) };
}

/** Tells whether an amount in fen is within a range, ends included; without an amount, whether the range holds any. */
export function isWithin({ least, most }: AmountRange, amount?: number): boolean {
  return amount === undefined ? least <= most : amount >= least && amount <= most;
}

/** @throws PaymentError METHOD_LIMITS naming the field, for an amount that is none and for a least above the most */
export function checkLimits(rows: readonly unknown[], typeOf: (row: Record<string, unknown>) => string): void {
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) continue;
    const { min, max } = row as Record<string, unknown>;
    const [least, most] = [limitOf(min), limitOf(max)];
    const isUnreadable = least === null || most === null;
    if (!isUnreadable && (least === undefined || most === undefined || least <= most)) continue;
    const type = typeOf(row as Record<string, unknown>);
    const field = `${type}_${least === null ? 'min' : 'max'}`;
    throw new PaymentError('METHOD_LIMITS', { type }, { [field]: `payment.field.${isUnreadable ? 'method_limit' : 'method_range'}` });
  }
}

/** The limits that are some. */
export function limitsOf(min: unknown, max: unknown): OwnLimits {
  const [least, most] = [limitOf(min), limitOf(max)];
  return { ...(typeof least === 'number' && { min: least }), ...(typeof most === 'number' && { max: most }) };
}

/** Rows as the wire has them, with `min` and `max` in yuan, in fen; what is no amount stays as it is and is refused later. */
export function rowsInFen(rows: unknown): unknown {
  const fenOf = (value: unknown): unknown => {
    if (value === undefined || value === null || value === '') return undefined;
    return (typeof value === 'string' || typeof value === 'number' ? toFen(value) : null) ?? 'no amount';
  };
  const inFen = (row: unknown): unknown => {
    if (typeof row !== 'object' || row === null) return row;
    const { min, max, ...rest } = row as Record<string, unknown>;
    return { ...rest, min: fenOf(min), max: fenOf(max) };
  };
  return Array.isArray(rows) ? rows.map(inFen) : rows;
}

/** A method as the wire has it: amounts in yuan. */
export function methodWire({ min, max, ...method }: PaymentMethodRecord): Record<string, unknown> {
  return { ...method, ...(min !== undefined && { min: toYuan(min) }), ...(max !== undefined && { max: toYuan(max) }) };
}

/** The limits of a method as people read them; empty where there are none. */
export function limitWords({ min, max }: OwnLimits): string {
  return min === undefined && max === undefined
    ? ''
    : `${currency().sign}${min === undefined ? '' : toYuan(min)}–${max === undefined ? '' : toYuan(max)}`;
}

/** The payment type of a row, for people. */
export function typeOfRow({ plugin, method }: Record<string, unknown>): string {
  return payType(String(plugin ?? '').slice(0, 64), String(method ?? '').slice(0, 64));
}

/** Fen of a limit; undefined where there is none, null for what is no amount. */
function limitOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_AMOUNT ? value : null;
}
