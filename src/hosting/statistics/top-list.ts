/** Most frequent values, with the count of all together. */
export interface TopList {
  readonly total: number;
  /** Counts by name; those of the rest are only in {@link total}. */
  readonly counts: Readonly<Record<string, number>>;
}

export const NOTHING: TopList = { total: 0, counts: {} };

/**
 * Adds lists up and keeps the most frequent names: Misra and Gries' summary in the form that can be merged (Agarwal et al.,
 * "Mergeable summaries", PODS 2012). As long as there are no more than `most` names every count is exact. Beyond, what makes up more
 * than one in `most` of everything is there in any order it may come, its count too small by at most that share; however many names
 * strangers make up, no more are kept.
 */
export function addedUp(lists: readonly TopList[], most: number): TopList {
  const counts = new Map<string, number>();
  let total = 0;
  for (const list of lists) {
    total += list.total;
    for (const [name, count] of Object.entries(list.counts)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  if (counts.size <= most) return { total, counts: asRecord([...counts]) };
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const [, taken] = sorted[most]!;
  const left = sorted.slice(0, most).map(([name, count]) => [name, count - taken] as const);
  return { total, counts: asRecord(left.filter(([, count]) => count > 0)) };
}

/** Without a prototype: names are strangers' texts, `__proto__` among them. */
function asRecord(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const record = Object.create(null) as Record<string, number>;
  for (const [name, count] of counts) record[name] = count;
  return record;
}
