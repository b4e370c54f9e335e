/** What stands between gateway and method in a payment type string. */
const SEPARATOR = '__';

/** Characters a payment type string may have: the column's. */
export const MAX_TYPE_LENGTH = 128;
/** Characters a gateway's slug may have. */
export const MAX_SLUG_LENGTH = 63;

/**
 * The payment type string of a gateway's method. Source: docs/plugin-api.md "Payments".
 *
 * @example
 * ```ts
 * payType('epay', 'alipay'); // "epay__alipay"
 * ```
 */
export function payType(slug: string, method: string): string {
  return `${slug}${SEPARATOR}${method}`;
}

/**
 * Gateway and method of a payment type string, split at the first `__`.
 *
 * @returns false where a part is empty or missing
 */
export function parsePayType(type: string): { slug: string; method: string } | false {
  const at = typeof type === 'string' ? type.indexOf(SEPARATOR) : -1;
  if (at < 1 || at + SEPARATOR.length >= type.length) return false;
  return { slug: type.slice(0, at), method: type.slice(at + SEPARATOR.length) };
}
