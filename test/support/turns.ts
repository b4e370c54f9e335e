import { LONG_SPECS } from './long-specs.js';

/**
 * How many runs of CI it takes to run everything. One has to end within 20 minutes, so specs that take long have turns, and the suites on
 * MariaDB and in the browser: the commit decides which one it is (`.ci/run`). By hand everything runs.
 */
export const TURNS = 4;

/** Which of them this is, from 0, by `TURN`; NaN where everything runs. */
const TURN = Number(process.env.TURN || NaN) % TURNS;

/** Specs that were changed lately wait for no turn; their names, between spaces. */
const changed = new Set((process.env.CHANGED_SPECS ?? '').split(/\s+/));

/** Those of `items` whose turn it is: every fourth, or all where everything runs. */
export function inTurn<T>(items: readonly T[], turn = TURN): T[] {
  return items.filter((_, at) => isDue(at, turn));
}

/** Those of `specs` that wait for another turn. @param later by how many turns a long one comes later than in other suites */
export function resting(specs: readonly string[], later = 0, turn = TURN): string[] {
  const long = specs.filter((name) => LONG_SPECS.includes(name));
  const short = specs.filter((name) => !LONG_SPECS.includes(name)).sort();
  return [
    // Neighbours on the list take equally long: each turn has one of them.
    ...long.filter((name) => !isDue(LONG_SPECS.indexOf(name) + later, turn)),
    ...short.filter((_, at) => !isDue(at, turn)),
  ].filter((name) => !changed.has(name));
}

const isDue = (place: number, turn: number): boolean => Number.isNaN(turn) || place % TURNS === turn;
