import { MAX_AMOUNT, toFen, toYuan } from '../../common/index.js';
import { type PaymentMethodRecord, currency } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';
import { payType } from '../orders/index.js';

import type { Gateway } from './payment-registry.js';

/** Minimum and maximum amount in fen, both included. */
export interface AmountRange {
  readonly least: number;
  readonly most: number;
}

/** Amount limits of a method set by the reseller. */
type OwnLimits = Pick<PaymentMethodRecord, 'min' | 'max'>;

/** Returns the intersection of the gateway's range and the reseller's limits. */
export function rangeOf({ limits }: Gateway, { min = 0, max = MAX_AMOUNT }: OwnLimits = {}): AmountRange {
  return { least: Math.max(limits.least, min), most: Math.min(limits.most, max) };
}

/** Returns whether an amount in fen is within a range, ends included; without an amount, whether the range is not empty. */
export function isWithin({ least, most }: AmountRange, amount?: number): boolean {
  return amount === undefined ? least <= most : amount >= least && amount <= most;
}

/** @throws PaymentError METHOD_LIMITS naming the field of an invalid amount or of a minimum above the maximum */
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

/** Returns the limits that are set. */
export function limitsOf(min: unknown, max: unknown): OwnLimits {
  const [least, most] = [limitOf(min), limitOf(max)];
  return { ...(typeof least === 'number' && { min: least }), ...(typeof most === 'number' && { max: most }) };
}

/** Converts `min` and `max` of wire rows from yuan to fen; invalid amounts are replaced by a marker that is rejected later. */
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

/** Returns a method in wire format: amounts in yuan. */
export function methodWire({ min, max, ...method }: PaymentMethodRecord): Record<string, unknown> {
  return { ...method, ...(min !== undefined && { min: toYuan(min) }), ...(max !== undefined && { max: toYuan(max) }) };
}

/** Returns the limits of a method for display; empty if none. */
export function limitWords({ min, max }: OwnLimits): string {
  return min === undefined && max === undefined
    ? ''
    : `${currency().sign}${min === undefined ? '' : toYuan(min)}–${max === undefined ? '' : toYuan(max)}`;
}

/** Returns the payment type of a row, for display. */
export function typeOfRow({ plugin, method }: Record<string, unknown>): string {
  return payType(String(plugin ?? '').slice(0, 64), String(method ?? '').slice(0, 64));
}

/** Returns a limit in fen; undefined if not set, null if invalid. */
function limitOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_AMOUNT ? value : null;
}
