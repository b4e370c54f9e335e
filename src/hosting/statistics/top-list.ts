/** Most frequent values, with the total count. */
export interface TopList {
  readonly total: number;
  /** Counts by name; the count of all other names is only included in {@link total}. */
  readonly counts: Readonly<Record<string, number>>;
}

export const EMPTY_LIST: TopList = { total: 0, counts: {} };

/**
 * Merges lists and keeps the most frequent names: Misra and Gries' summary in its mergeable form (Agarwal et al., "Mergeable summaries",
 * PODS 2012). With at most `most` names every count is exact. With more, every name with a share above one in `most` is kept regardless of
 * the order, with a count too low by at most that share. No more names are kept, however many clients make up.
 */
export function mergeLists(lists: readonly TopList[], maxNames: number): TopList {
  const counts = new Map<string, number>();
  let total = 0;
  for (const list of lists) {
    total += list.total;
    for (const [name, count] of Object.entries(list.counts)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  if (counts.size <= maxNames) return { total, counts: asRecord([...counts]) };
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const [, taken] = sorted[maxNames]!;
  const left = sorted.slice(0, maxNames).map(([name, count]) => [name, count - taken] as const);
  return { total, counts: asRecord(left.filter(([, count]) => count > 0)) };
}

/** Without a prototype, because names are untrusted and may be `__proto__`. */
function asRecord(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const record = Object.create(null) as Record<string, number>;
  for (const [name, count] of counts) record[name] = count;
  return record;
}
