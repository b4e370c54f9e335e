import { LONG_SPECS } from './long-specs.js';

/**
 * Number of turns that cover everything. A CI run must end within 20 minutes, so slow specs and the suites on MariaDB and in the browser
 * are split into turns: consecutive commits take consecutive turns (`.ci/run`). Without `TURN`, everything runs.
 */
export const TURNS = 8;

/** Current turn from `TURN`, which may be greater than {@link TURNS}; NaN if everything runs. */
const TURN = turnOf(process.env.TURN ?? '');

/** Recently changed specs; their names in `CHANGED_SPECS`, separated by spaces. */
const CHANGED: ReadonlySet<string> = new Set((process.env.CHANGED_SPECS ?? '').split(' '));

/** Returns the `items` of the current turn: every eighth, or all if everything runs. */
export function inTurn<T>(items: readonly T[], turn = TURN): T[] {
  return items.filter((_, at) => isDue(at, turn));
}

/** Returns the `specs` that are skipped in this turn; those in `changed` are never skipped. */
export function resting(specs: readonly string[], turn = TURN, changed = CHANGED): string[] {
  const long = specs.filter((name) => LONG_SPECS.includes(name));
  const short = specs.filter((name) => !LONG_SPECS.includes(name)).sort();
  return [
    // Neighbours on the list take similarly long, so each turn gets one of them.
    ...long.filter((name) => !isDue(LONG_SPECS.indexOf(name), turn)),
    ...short.filter((_, at) => !isDue(at, turn)),
  ].filter((name) => !changed.has(name));
}

/**
 * Like {@link resting} for the run on the database server: shifted by a turn, so slow specs run there one turn later, and without
 * exceptions for changed specs, which have run on SQLite.
 */
export function restingOnServer(specs: readonly string[], turn = TURN): string[] {
  return resting(specs, turn - 1, new Set());
}

function turnOf(given: string): number {
  if (given === '' || given === 'all') return NaN;
  if (!/^\d{1,9}$/.test(given)) throw new Error(`TURN is a number from 0 or "all", not ${given}.`);
  return Number(given);
}

const isDue = (place: number, turn: number): boolean => Number.isNaN(turn) || (place - turn) % TURNS === 0;
