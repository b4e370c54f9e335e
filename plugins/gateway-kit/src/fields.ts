import type { CallContext } from '@svc/sdk';

/** Texts by name. */
export type Fields = Readonly<Record<string, string>>;

/** Format of the panel's order numbers. */
const ORDER_NUMBER = /^[0-9A-Za-z_-]{1,40}$/;
const TRADE_NUMBER = /^[\x21-\x7e]{1,128}$/;

/**
 * Returns the fields sent by a gateway, from a single source: the form of a POST, else the query. Empty if a name occurs twice, since the
 * intended value is ambiguous.
 */
export function sentFields({ method, headers, body, query, rawBody, rawQuery }: CallContext): Fields {
  const isForm = method === 'POST' && /^application\/x-www-form-urlencoded/i.test(String(headers['content-type']));
  const names = [...new URLSearchParams(isForm ? rawBody.toString('utf8') : rawQuery).keys()];
  if (new Set(names).size !== names.length) return {};
  return { ...(isForm ? body : query) };
}

/** Returns a valid order number; empty for anything else, such as a repeated field. */
export function orderNumberOf(value: string | undefined): string {
  return ORDER_NUMBER.test(value ?? '') ? value! : '';
}

/** Returns a valid transaction number of the gateway; empty for anything else. */
export function tradeNumberOf(value: string | undefined): string {
  return TRADE_NUMBER.test(value ?? '') ? value! : '';
}

/** Parses a JSON object; null for anything else. */
export function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Returns the fields of a JSON object as texts; nested values and null are omitted. */
export function textsOf(object: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(object).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

/** Truncates a text to a number of UTF-8 bytes without splitting characters. */
export function cutBytes(text: string, bytes: number): string {
  let kept = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept;
}
