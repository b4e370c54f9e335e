import type { HostQuota } from '../sdk/index.js';

/** Scene of orders for package changes. */
export const CHANGE_SCENE = 'bg';

/** A package change as stored in its order: old and new package, and the expiry date its price was computed for. */
export interface OrderedChange {
  readonly host: number;
  readonly from: string;
  readonly to: string;
  readonly limits: HostQuota;
  /** `YYYY-MM-DD`. */
  readonly until: string;
}

/** Context of an order with {@link CHANGE_SCENE}. */
export interface ChangeContext {
  readonly change: OrderedChange;
}

/** Returns the change in an order's context; null if there is none, for example for a plugin's order under the same scene. */
export function changeOfOrder(context: unknown): OrderedChange | null {
  const change = ((context as Partial<ChangeContext> | null)?.change ?? {}) as Record<string, unknown>;
  const { host, from, to, limits, until } = change;
  const isOne = Number.isInteger(host) && [from, to, until].every((text) => typeof text === 'string');
  return isOne && typeof limits === 'object' && limits !== null ? (change as unknown as OrderedChange) : null;
}
