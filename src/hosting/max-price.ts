/** Maximum price of a name or a program for a site, in fen. */
export const MAX_PRICE = 1_000_000_000;
