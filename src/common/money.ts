import { amountText, currency, currencyOf, readAmount } from '../sdk/index.js';

/**
 * Says which currency this process counts in from now on; see {@link currency}. A value of the process, as its time zone is, and no
 * dependency: entity columns, texts, filters of templates and the functions of the SDK, of which plugins may bring a copy, count by it
 * where nothing is injected. `SiteSettings` keeps it what the settings say.
 *
 * @throws Error for one that no installation may have
 */
export function setCurrency(code: string): void {
  if (code !== currency().code) Object.assign(globalThis, { [Symbol.for('@svc/sdk:currency')]: currencyOf(code) });
}

/** {@link readAmount}: minor units of the installation's currency; of yuan, fen. */
export const toFen = readAmount;

/** {@link amountText}. */
export const toYuan = amountText;

/** An amount as a column has it: hundredths of what is counted, whatever the currency, so that sums of columns are counted the same way. */
export const columnOfFen = (fen: number): string => amountText(fen, 2);

/** For entity columns: `DECIMAL(12,2)` in the table, whole minor units in code; see {@link columnOfFen}. */
export const fenTransformer = {
  to: (fen: number | null | undefined): string | null | undefined => (typeof fen === 'number' ? columnOfFen(fen) : fen),
  from: (column: string | number | null): number | null => (column === null ? null : Math.round(Number(column) * 100)),
};
