import type { CallContext } from '@svc/sdk';

/** Texts by name. */
export type Fields = Readonly<Record<string, string>>;

/** Numbers of orders as the panel makes them. */
const ORDER_NUMBER = /^[0-9A-Za-z_-]{1,40}$/;
const TRADE_NUMBER = /^[\x21-\x7e]{1,128}$/;

/**
 * What a gateway sent, of the one place it sent it in: the form of a POST, else the address. No fields at all where a name comes twice:
 * nobody can say which of them was meant.
 */
export function sentFields({ method, headers, body, query, rawBody, rawQuery }: CallContext): Fields {
  const isForm = method === 'POST' && /^application\/x-www-form-urlencoded/i.test(String(headers['content-type']));
  const names = [...new URLSearchParams(isForm ? rawBody.toString('utf8') : rawQuery).keys()];
  if (new Set(names).size !== names.length) return {};
  return { ...(isForm ? body : query) };
}

/** The number of an order; empty for what cannot be one, such as a field that came twice. */
export function orderNumberOf(value: string | undefined): string {
  return ORDER_NUMBER.test(value ?? '') ? value! : '';
}

/** The gateway's transaction number; empty for what cannot be one. */
export function tradeNumberOf(value: string | undefined): string {
  return TRADE_NUMBER.test(value ?? '') ? value! : '';
}

/** A JSON object as it came; null for anything else. */
export function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Fields of a JSON object as texts; what is nested or null is left out. */
export function textsOf(object: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(object).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

/** A text cut at whole characters to so many bytes of UTF-8. */
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
