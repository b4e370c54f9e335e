/** The one currency orders are in, by its ISO 4217 code. */
export const CURRENCY = 'CNY';
