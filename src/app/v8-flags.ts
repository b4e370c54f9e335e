import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 flags used while the program starts; they reduce the memory used afterwards by a sixth (`npm run bench:start`). V8 reads these flags
 * at each decision, so they take effect immediately; the values set by {@link whileWorking} and {@link whileServing} are its defaults.
 */

/**
 * Call before any other import. Loading code runs once, which is not worth optimized machine code, whose compiler memory is not given back.
 * Loaded code also stays, so the young generation would grow, and remain large, only to promote all of it.
 */
export function whileLoading(): void {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Call before work of unknown size: plugins, the store's catalog. */
export function whileWorking(): void {
  setFlagsFromString('--opt');
}

/**
 * Call once everything has started. A quarter of the memory is then garbage from loading, between objects that stay: V8 would keep it for a
 * process that needs hardly more. A collection returns it to the system; V8 before 12 (Node 20) must compact for that, newer versions keep
 * the freed memory unless they are signalled that memory is short. Takes 0.1 to 0.3 seconds.
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
