import type { CallKind, PluginCalls } from '../../common/index.js';

/**
 * What a plugin registers to be called, with the deadline of its kind, counted and blamed under the plugin's name.
 *
 * @param place what it is called in messages, such as `route GET /shop`
 * @throws Error for what is no function
 */
export function guardedCallback<Args extends unknown[], Result>(
  calls: PluginCalls,
  slug: string,
  kind: CallKind,
  place: string,
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  if (typeof callback !== 'function') throw new Error(`${slug}: the ${place} needs a function.`);
  return calls.guard(slug, place, { kind }, callback);
}
