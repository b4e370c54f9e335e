/** Separator of gateway and method in a payment type string. */
const SEPARATOR = '__';

/** Maximum characters of a payment type string, limited by the column. */
export const MAX_TYPE_LENGTH = 128;
/** Maximum characters of a gateway's slug. */
export const MAX_SLUG_LENGTH = 63;

/**
 * Returns the payment type string of a gateway's method. Source: docs/plugin-api.md "Payments".
 * @example
 * ```ts
 * payType('epay', 'alipay'); // "epay__alipay"
 * ```
 */
export function payType(slug: string, method: string): string {
  return `${slug}${SEPARATOR}${method}`;
}

/**
 * Splits a payment type string into gateway and method at the first `__`.
 *
 * @returns false if a part is empty or missing
 */
export function parsePayType(type: string): { slug: string; method: string } | false {
  const at = typeof type === 'string' ? type.indexOf(SEPARATOR) : -1;
  if (at < 1 || at + SEPARATOR.length >= type.length) return false;
  return { slug: type.slice(0, at), method: type.slice(at + SEPARATOR.length) };
}
