import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What V8 is told while the program starts, which takes a sixth off the memory it has afterwards (`npm run bench:start`). V8 reads these
 * flags whenever it decides, so they hold at once; those of {@link whileWorking} and {@link whileServing} are its own defaults.
 */

/**
 * To be called before any other import. What is loaded runs once, which is not worth machine code, and the memory the compiler took for it
 * is not given back. What is loaded also stays, so the young generation would grow, and remain, only to hand all of it on.
 */
export function whileLoading(): void {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** To be called before work whose amount nobody knows: plugins, the catalog of the store. */
export function whileWorking(): void {
  setFlagsFromString('--opt');
}

/**
 * To be called once everything has started. A quarter of the memory is what loading left behind then, in between what stays: V8 would keep
 * it for a process that hardly takes more. Cleared away, it goes back to the system; V8 before 12, as in Node 20, closes the gaps for that,
 * newer ones would keep what they gained, unless they are told that memory is short. Takes one to three tenths of a second.
 */
export function whileServing(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--expose-gc');
  const clear = runInNewContext('gc') as (how?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
  setFlagsFromString('--no-expose-gc');
  if (Number.parseInt(process.versions.v8, 10) >= 12) {
    clear({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    return;
  }
  setFlagsFromString('--compact-on-every-full-gc');
  clear();
  setFlagsFromString('--no-compact-on-every-full-gc');
}
