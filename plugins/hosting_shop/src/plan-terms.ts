import type { Prices } from './periods.js';

/** Administrator's settings of a plan. */
export interface PlanTerms {
  readonly name: string;
  readonly description: string;
  /** Groups plans in the shop; empty for none. */
  readonly category: string;
  /** Sort order in the shop, ascending. */
  readonly sort: number;
  /** Code of the server on which its accounts are opened. */
  readonly node: string;
  readonly webMb: number;
  readonly databaseMb: number;
  readonly trafficGb: number;
  readonly domains: number;
  /** Null: the panel's default for every host. */
  readonly monitors: number | null;
  /** Null: the panel's default for every host. */
  readonly backups: number | null;
  /** Grace days after expiry; null: the panel's setting. */
  readonly graceDays: number | null;
  /** Days a host is kept after its suspension for expiry, 0 for ever; null: the panel's setting. */
  readonly keepDays: number | null;
  /** Free of charge: opened immediately when ordered, all prices are 0. */
  readonly free: boolean;
  readonly prices: Prices;
  /** One-time fee with the first period, in fen. */
  readonly setupFee: number;
  /** Total number for sale; null: unlimited. */
  readonly stock: number | null;
  /** Maximum number per customer; 0: unlimited. */
  readonly perCustomer: number;
  /** Length of the free trial in days; 0: none. */
  readonly trialDays: number;
  readonly active: boolean;
}

/** A plan: what a buyer gets, for which periods, at which price. */
export interface Plan extends PlanTerms {
  readonly id: number;
  /** Number sold or ordered. */
  readonly taken: number;
}

/** Returns the number left; null: unlimited. */
export function stockLeft({ stock, taken }: Pick<Plan, 'stock' | 'taken'>): number | null {
  return stock === null ? null : Math.max(0, stock - taken);
}
