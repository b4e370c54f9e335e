/** Largest amount the `DECIMAL(12,2)` columns hold, in fen. */
export const MAX_FEN = 999_999_999_999;

/**
 * Yuan as text or number to fen, exactly: at most two decimals, not negative.
 *
 * @returns null where `yuan` is no amount of money
 * @example
 * ```ts
 * toFen('12.5'); // 1250
 * toFen('1.005'); // null
 * ```
 */
export function toFen(yuan: string | number): number | null {
  const match = /^(\d{1,10})(?:\.(\d{1,2})0*)?$/.exec(String(yuan).trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/**
 * Fen to yuan with two decimals.
 *
 * @example
 * ```ts
 * toYuan(1250); // "12.50"
 * ```
 */
export function toYuan(fen: number): string {
  const sign = fen < 0 ? '-' : '';
  const value = Math.abs(fen);
  return `${sign}${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
}

/** For entity columns: `DECIMAL(12,2)` yuan in the table, integer fen in code. */
export const fenTransformer = {
  to: (fen: number | null | undefined): string | null | undefined => (typeof fen === 'number' ? toYuan(fen) : fen),
  from: (yuan: string | number | null): number | null => (yuan === null ? null : Math.round(Number(yuan) * 100)),
};
