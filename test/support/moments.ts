import { randomInt } from 'node:crypto';

/**
 * Returns one random moment of each kind at which a process is killed, so that a run tests only one and several runs cover all of them. The
 * titles of tests name their moments. `MOMENTS=all` returns all.
 *
 * @param kindOf returns the kind of a moment; by default all are of one kind
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
