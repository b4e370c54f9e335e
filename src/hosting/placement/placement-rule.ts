import type { PlacementRule } from '../entities/index.js';

/** A server that could host a new account. */
export interface Candidate {
  readonly id: number;
  readonly code: string;
  /** Number of its hosts. */
  readonly hosts: number;
  /** Maximum number of hosts; 0: unlimited. */
  readonly capacity: number;
  readonly weight: number;
}

/** Returns whether a server has capacity for another host. */
export const hasRoom = ({ hosts, capacity }: Pick<Candidate, 'hosts' | 'capacity'>): boolean => capacity === 0 || hosts < capacity;

/** Sort key of each rule, the smallest first. */
const ORDERS: Readonly<Record<PlacementRule, (candidate: Candidate) => number>> = {
  least: ({ hosts }) => hosts,
  fill: ({ hosts }) => -hosts,
  weight: ({ hosts, weight }) => (hosts + 1) / weight,
  capacity: ({ hosts, capacity }) => (capacity === 0 ? Number.NEGATIVE_INFINITY : hosts - capacity),
};

/**
 * Returns the server a rule chooses among those with free capacity; null if there is none. On a tie, the one with fewer hosts wins, then
 * the older one.
 *
 * @example
 * ```ts
 * chooseServer('least', [{ id: 1, code: 'a', hosts: 3, capacity: 0, weight: 100 }]); // that one
 * ```
 */
export function chooseServer(rule: PlacementRule, candidates: readonly Candidate[]): Candidate | null {
  const of = ORDERS[rule];
  const better = (a: Candidate, b: Candidate): boolean => {
    const [first, second] = [of(a), of(b)];
    if (first !== second) return first < second;
    return a.hosts === b.hosts ? a.id < b.id : a.hosts < b.hosts;
  };
  return candidates.filter(hasRoom).reduce<Candidate | null>((best, one) => (best && !better(one, best) ? best : one), null);
}
