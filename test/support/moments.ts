import { randomInt } from 'node:crypto';

/**
 * Moments at which a process is killed: one of each kind, others in each run, so that a run pays for one and a few runs try them all.
 * The titles of tests name theirs. `MOMENTS=all` tries every one at once.
 *
 * @param kindOf what makes moments alike; all of them are where nothing is given
 *
 * @example it.each(someMoments(['before', 'after'] as const))('killed %s it was done', …)
 */
export function someMoments<T>(moments: readonly T[], kindOf: (moment: T) => unknown = () => 'alike'): T[] {
  if (process.env.MOMENTS === 'all') return [...moments];
  const kinds = new Set(moments.map(kindOf));
  return [...kinds].map((kind) => {
    const alike = moments.filter((moment) => kindOf(moment) === kind);
    return alike[randomInt(alike.length)]!;
  });
}
