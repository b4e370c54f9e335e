import type { Prices } from './periods.js';

/** What an administrator says of a plan. */
export interface PlanTerms {
  readonly name: string;
  readonly description: string;
  /** Plans of one category stand together in the shop; empty for none. */
  readonly category: string;
  /** Ascending in the shop. */
  readonly sort: number;
  /** Code of the node its accounts are opened on. */
  readonly node: string;
  readonly webMb: number;
  readonly databaseMb: number;
  readonly trafficGb: number;
  readonly domains: number;
  /** Null: as many as the panel gives every host. */
  readonly monitors: number | null;
  /** Null: as many as the panel gives every host. */
  readonly backups: number | null;
  /** Days its hosts go on after their last one; null: as the panel's settings say. */
  readonly graceDays: number | null;
  /** Days its hosts are kept once they were suspended for their expiry, 0 for ever; null: as the panel's settings say. */
  readonly keepDays: number | null;
  /** It costs nothing: whoever orders it gets it at once, its prices are all 0. */
  readonly free: boolean;
  readonly prices: Prices;
  /** Fen, once, with the first period. */
  readonly setupFee: number;
  /** How many may be sold in all; null: any number. */
  readonly stock: number | null;
  /** How many one customer may order; 0: any number. */
  readonly perCustomer: number;
  /** Days one may try it for nothing; 0: none. */
  readonly trialDays: number;
  readonly active: boolean;
}

/** A plan: what a buyer gets, for which times, and for how much. */
export interface Plan extends PlanTerms {
  readonly id: number;
  /** How many of the stock were sold or are ordered. */
  readonly taken: number;
}

/** How many of it can still be ordered; null: any number. */
export function stockLeft({ stock, taken }: Pick<Plan, 'stock' | 'taken'>): number | null {
  return stock === null ? null : Math.max(0, stock - taken);
}
