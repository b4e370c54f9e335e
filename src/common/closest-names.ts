/** Maximum edit distance at which a name still counts as a misspelling. */
const MAX_DISTANCE = 3;
const MAX_LENGTH = 80;

/**
 * Returns the `candidates` that `name` may be a misspelling of, the closest first.
 *
 * @param maxCount maximum number of names returned
 */
export function closestNames(name: string, candidates: Iterable<string>, maxCount = 3): string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(wanted.length / 3)));
  return [...new Set(candidates)]
    .map((candidate) => ({
      candidate,
      distance: Math.abs(candidate.length - wanted.length) > limit ? limit + 1 : distanceBetween(wanted, candidate.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, maxCount)
    .map(({ candidate }) => candidate);
}

/** Returns the edit distance: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}
