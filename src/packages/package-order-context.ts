import type { HostQuota } from '../sdk/index.js';

/** Scene of the orders that change the package of a host. */
export const CHANGE_SCENE = 'bg';

/** A change of package as its order keeps it: what it begins from, what it leads to, and the last day its price was computed for. */
export interface OrderedChange {
  readonly host: number;
  readonly from: string;
  readonly to: string;
  readonly limits: HostQuota;
  /** `YYYY-MM-DD`. */
  readonly until: string;
}

/** What an order of {@link CHANGE_SCENE} keeps in its context. */
export interface ChangeContext {
  readonly change: OrderedChange;
}

/** What an order changes; null for one that changes nothing, such as one a plugin made under the same scene. */
export function changeOfOrder(context: unknown): OrderedChange | null {
  const change = ((context as Partial<ChangeContext> | null)?.change ?? {}) as Record<string, unknown>;
  const { host, from, to, limits, until } = change;
  const isOne = Number.isInteger(host) && [from, to, until].every((text) => typeof text === 'string');
  return isOne && typeof limits === 'object' && limits !== null ? (change as unknown as OrderedChange) : null;
}
