import { runInFrame } from '../../common/index.js';

/** Gives a plugin's callback its owner, wherever it is called from: context, blame and texts follow from it. */
export function inPlugin<Args extends unknown[], Result>(slug: string, callback: (...args: Args) => Result, what: string): (...args: Args) => Result {
  if (typeof callback !== 'function') throw new Error(`${slug}: ${what} needs a function.`);
  return (...args) => runInFrame({ owner: slug }, () => callback(...args));
}
