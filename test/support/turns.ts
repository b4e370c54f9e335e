import { LONG_SPECS } from './long-specs.js';

/**
 * How many turns it takes to run everything. A run of CI has to end within 20 minutes, so specs that take long have turns, and the suites
 * on MariaDB and in the browser: the commits take one after the other (`.ci/run`). By hand everything runs.
 */
export const TURNS = 8;

/** Which of them this is, by `TURN`, which goes on counting beyond them; NaN where everything runs. */
const TURN = turnOf(process.env.TURN ?? '');

/** Specs that were changed lately; their names in `CHANGED_SPECS`, between spaces. */
const CHANGED: ReadonlySet<string> = new Set((process.env.CHANGED_SPECS ?? '').split(' '));

/** Those of `items` whose turn it is: every eighth, or all where everything runs. */
export function inTurn<T>(items: readonly T[], turn = TURN): T[] {
  return items.filter((_, at) => isDue(at, turn));
}

/** Those of `specs` that wait for another turn, as those of `changed` do not. */
export function resting(specs: readonly string[], turn = TURN, changed = CHANGED): string[] {
  const long = specs.filter((name) => LONG_SPECS.includes(name));
  const short = specs.filter((name) => !LONG_SPECS.includes(name)).sort();
  return [
    // Neighbours on the list take equally long: each turn has one of them.
    ...long.filter((name) => !isDue(LONG_SPECS.indexOf(name), turn)),
    ...short.filter((_, at) => !isDue(at, turn)),
  ].filter((name) => !changed.has(name));
}

/** The same of specs that run on another engine, too: long ones are there a turn later, and those that were changed have run already. */
export function restingOnServer(specs: readonly string[], turn = TURN): string[] {
  return resting(specs, turn - 1, new Set());
}

function turnOf(given: string): number {
  if (given === '' || given === 'all') return NaN;
  if (!/^\d{1,9}$/.test(given)) throw new Error(`TURN is a number from 0 or "all", not ${given}.`);
  return Number(given);
}

const isDue = (place: number, turn: number): boolean => Number.isNaN(turn) || (place - turn) % TURNS === 0;
