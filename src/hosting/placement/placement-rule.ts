import type { PlacementRule } from '../entities/index.js';

/** A server a host could come on. */
export interface Candidate {
  readonly id: number;
  readonly code: string;
  /** Hosts it has. */
  readonly hosts: number;
  /** Hosts it takes at most; 0: any number. */
  readonly capacity: number;
  readonly weight: number;
}

/** Tells whether a server has room for another host. */
export const hasRoom = ({ hosts, capacity }: Pick<Candidate, 'hosts' | 'capacity'>): boolean => capacity === 0 || hosts < capacity;

/** What servers are ordered by, the smallest first. */
const ORDERS: Readonly<Record<PlacementRule, (candidate: Candidate) => number>> = {
  least: ({ hosts }) => hosts,
  fill: ({ hosts }) => -hosts,
  weight: ({ hosts, weight }) => (hosts + 1) / weight,
  capacity: ({ hosts, capacity }) => (capacity === 0 ? Number.NEGATIVE_INFINITY : hosts - capacity),
};

/**
 * The server a rule chooses among those that have room; null where none has. Of several that are as good, the one with fewer hosts, then
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
