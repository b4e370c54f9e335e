import { amountText, currency, currencyOf, readAmount } from '../sdk/index.js';

/**
 * Maximum amount in minor units. It limits an order (see `CreateOrderRequest`), and so also a coupon's discount, the limits of a payment
 * method, and a credit balance. The `DECIMAL(12,2)` columns hold ten times as much.
 */
export const MAX_AMOUNT = 99_999_999_999;

/**
 * Sets the currency of this process; see {@link currency}. Global to the process like its time zone, and not injected: entity columns,
 * texts, template filters and the SDK functions, of which plugins may bundle a copy, have no injection. `SiteSettings` keeps it in sync
 * with the settings.
 *
 * @throws Error for an unsupported currency
 */
export function setCurrency(code: string): void {
  if (code !== currency().code) Object.assign(globalThis, { [Symbol.for('@svc/sdk:currency')]: currencyOf(code) });
}

/** {@link readAmount}: reads minor units of the installation's currency (fen for yuan). */
export const toFen = readAmount;

/** {@link amountText}. */
export const toYuan = amountText;

/** Returns an amount as stored in a column: in hundredths, whatever the currency, so that column sums are computed the same way. */
export const columnOfFen = (fen: number): string => amountText(fen, 2);

/** Column transformer for entities: `DECIMAL(12,2)` in the table, whole minor units in code; see {@link columnOfFen}. */
export const fenTransformer = {
  to: (fen: number | null | undefined): string | null | undefined => (typeof fen === 'number' ? columnOfFen(fen) : fen),
  from: (column: string | number | null): number | null => (column === null ? null : Math.round(Number(column) * 100)),
};
