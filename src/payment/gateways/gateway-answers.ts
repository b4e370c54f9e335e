import type { GatewayPayment, GatewayRefundResult, GatewayTestResult } from '../../sdk/index.js';

/** Maximum characters kept of a gateway's number and of its messages. */
const MAX_NUMBER = 128;
export const MAX_WORDS = 300;

/** Parses a gateway's answer to an order query; null if it is invalid. */
export function readPayment(value: unknown): GatewayPayment | null {
  const { state, trade_no, amount, currency } = fieldsOf(value);
  if (state === 'unpaid' || state === 'closed' || state === 'refunded') return { state };
  // A payment without a number or amount cannot be settled.
  if (state !== 'paid' || !isNumber(trade_no) || !Number.isSafeInteger(amount) || (amount as number) < 0) return null;
  if (currency !== undefined && typeof currency !== 'string') return null;
  return { state, trade_no: trade_no.trim(), amount: amount as number, ...(currency !== undefined && { currency }) };
}

/** Parses a gateway's answer to a refund; null if it is invalid. */
export function readRefund(value: unknown): GatewayRefundResult | null {
  const { state, refund_no, msg } = fieldsOf(value);
  if (state !== 'done' && state !== 'pending' && state !== 'refused') return null;
  return { state, ...(isNumber(refund_no) && { refund_no: refund_no.trim() }), msg: wordsOf(msg) };
}

/** Parses the result of a gateway's test; null if it is invalid. */
export function readTest(value: unknown): GatewayTestResult | null {
  const { ok, msg } = fieldsOf(value);
  return typeof ok === 'boolean' ? { ok, msg: wordsOf(msg) } : null;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.trim().length <= MAX_NUMBER;
}

/** Returns a message as a single line of limited length. */
export function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 3_000).replace(/\s+/g, ' ').trim().slice(0, MAX_WORDS) : '';
}
