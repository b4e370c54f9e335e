import type { CallContext } from '../../sdk/index.js';

/** Fields whose values are secrets, reusable, or personal data of the buyer. */
const MASKED = /sign|secret|pass|key|token|auth|cipher|nonce|openid|buyer|payer|card|phone|mobile|mail|account|name$/i;
const PLAIN = /^(?:sign_?type|notify_?type|app_?auth|name)$/i;
/** Headers that identify the caller and what was signed. */
const HEADERS = ['content-type', 'user-agent', 'wechatpay-serial', 'wechatpay-timestamp', 'wechatpay-signature', 'stripe-signature'];
/** Names under which gateways send the order number. */
const NUMBERS = ['out_trade_no', 'client_reference_id', 'merchant_order_no', 'trade_order_id', 'order_no', 'order_id', 'orderid', 'ddh'];
const MAX_FIELDS = 60;
const MAX_DEPTH = 5;
const MAX_VALUE = 300;
const MAX_CHARACTERS = 4_000;

type Received = Pick<CallContext, 'method' | 'query' | 'body' | 'rawBody' | 'headers'>;

/** Formats a request for the payment log: secrets masked, truncated to the log's limits. Never throws. */
export function contentOf(ctx: Received): string {
  try {
    const headers = Object.fromEntries(HEADERS.flatMap((name) => (ctx.headers[name] === undefined ? [] : [[name, ctx.headers[name]]])));
    return textOf({ method: ctx.method, headers, query: ctx.query, body: bodyOf(ctx) });
  } catch {
    return '(unreadable)';
  }
}

/** Formats any value in the same way. */
export function textOf(value: unknown): string {
  try {
    const text = JSON.stringify(masked(value, '', 0), null, 1);
    return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  } catch {
    return '(unreadable)';
  }
}

/** Returns the unverified order number in a request; empty if none. */
export function claimedNumber(ctx: Received): string {
  try {
    return numberIn([ctx.query, bodyOf(ctx)], 0);
  } catch {
    return '';
  }
}

function bodyOf({ body, rawBody, headers }: Received): unknown {
  if (!/json/i.test(String(headers['content-type'] ?? ''))) return body;
  try {
    return JSON.parse(rawBody.subarray(0, 256 * 1024).toString('utf8')) as unknown;
  } catch {
    return `(${rawBody.length} bytes that are not JSON)`;
  }
}

function masked(value: unknown, name: string, depth: number): unknown {
  if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) return '…';
    if (Array.isArray(value)) return value.slice(0, MAX_FIELDS).map((one) => masked(one, name, depth + 1));
    const entries = Object.entries(value).slice(0, MAX_FIELDS);
    return Object.fromEntries(entries.map(([field, one]) => [field.slice(0, 64), masked(one, field, depth + 1)]));
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return isSecret(name) ? '***' : value;
  const text = String(value);
  if (isSecret(name) && text !== '') return `${text.length > 12 ? text.slice(0, 3) : ''}***(${text.length})`;
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…(${text.length})` : text;
}

function isSecret(name: string): boolean {
  return MASKED.test(name) && !PLAIN.test(name);
}

function numberIn(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  const entries = Object.entries(value).slice(0, MAX_FIELDS);
  for (const wanted of NUMBERS) {
    const found = entries.find(([name]) => name.toLowerCase() === wanted)?.[1] as unknown;
    if (typeof found === 'string' && /^[\w.|-]{1,40}$/.test(found)) return found;
  }
  for (const [, inner] of entries) {
    const number = numberIn(inner, depth + 1);
    if (number !== '') return number;
  }
  return '';
}
