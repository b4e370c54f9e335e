import { MAX_AMOUNT } from '../../common/index.js';
import { MAX_ID } from '../../database/index.js';
import type { CreateOrderRequest, OrderOwner } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';

import { MAX_SLUG_LENGTH, MAX_TYPE_LENGTH, parsePayType } from './payment-type.js';

/** Pattern of a scene, the purpose of an order. */
export const SCENE = /^[a-z0-9_]{1,32}$/;
/** Maximum bytes of the context as JSON. */
const MAX_CONTEXT_BYTES = 16 * 1024;

/** Input of a new order; the type may be missing, because the buyer chooses it on the payment page. */
export type NewOrder = Omit<CreateOrderRequest, 'type' | 'coupon' | 'product'> & {
  type?: string;
  /** Idempotency key: the same key returns the same order; at most 200 characters. */
  requestKey?: string;
};

/** Discount of an order by a coupon. */
export interface OrderDiscount {
  /** Coupon code. */
  readonly coupon: string;
  /** Discount in fen, at most the order's amount. */
  readonly amount: number;
}

/** A validated order in its stored form. */
export interface CheckedOrder {
  readonly user: string;
  readonly owner: OrderOwner | null;
  readonly scene: string;
  readonly name: string;
  /** Fen. */
  readonly amount: number;
  readonly type: string;
  /** JSON. */
  readonly context: string;
  readonly ip: string;
}

/** Returns whether `type` has the form of a payment type string, registered or not. */
export function isPayType(type: string): boolean {
  const parsed = /^[A-Za-z0-9_-]+$/.test(type) && parsePayType(type);
  return parsed !== false && parsed.slug.length <= MAX_SLUG_LENGTH && type.length <= MAX_TYPE_LENGTH;
}

/** @throws PaymentError ORDER_INVALID naming every invalid field */
export function checkOrder(request: NewOrder): CheckedOrder {
  const context = contextJson(request.context);
  const isValid: Record<string, boolean> = {
    user: isText(request.user, 64),
    owner: request.owner === undefined || request.owner === null || isOwner(request.owner),
    scene: typeof request.scene === 'string' && SCENE.test(request.scene),
    name: isText(request.name, 127),
    amount: Number.isInteger(request.amount) && request.amount >= 1 && request.amount <= MAX_AMOUNT,
    type: request.type === undefined || request.type === '' || (typeof request.type === 'string' && isPayType(request.type)),
    context: context !== null,
  };
  const invalidFields = Object.keys(isValid).filter((field) => !isValid[field]);
  if (invalidFields.length > 0 || context === null) {
    const fields = Object.fromEntries(invalidFields.map((field) => [field, `payment.field.${field}`]));
    throw new PaymentError('ORDER_INVALID', { field: invalidFields.join(', ') }, fields);
  }
  return {
    user: request.user,
    owner: request.owner ?? null,
    scene: request.scene,
    name: request.name,
    amount: request.amount,
    type: request.type ?? '',
    context,
    ip: (request.ip ?? '').slice(0, 64),
  };
}

/** Returns whether `owner` names exactly one account or one customer by a valid id. */
export function isOwner(owner: unknown): owner is OrderOwner {
  if (typeof owner !== 'object' || owner === null) return false;
  const [[kind, id] = [], ...more] = Object.entries(owner);
  return more.length === 0 && (kind === 'account' || kind === 'customer') && Number.isInteger(id) && id >= 1 && id <= MAX_ID;
}

/** Columns count characters, JavaScript counts UTF-16 units. */
function isText(value: unknown, length: number): boolean {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 2 * length) return false;
  return Array.from(value).length <= length;
}

/** Returns the context as JSON; null if it is not an object or too large. */
function contextJson(context: unknown): string | null {
  if (context === undefined || context === null) return '{}';
  if (typeof context !== 'object' || Array.isArray(context)) return null;
  try {
    const json: unknown = JSON.stringify(context);
    return typeof json === 'string' && json.startsWith('{') && Buffer.byteLength(json) <= MAX_CONTEXT_BYTES ? json : null;
  } catch {
    return null;
  }
}
