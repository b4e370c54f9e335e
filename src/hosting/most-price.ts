/** Most a name or a program for a site is sold for, in fen. */
export const MOST_PRICE = 1_000_000_000;
