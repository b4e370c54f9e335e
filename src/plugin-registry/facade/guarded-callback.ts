import type { CallKind, PluginCalls } from '../../common/index.js';

/**
 * Wraps a plugin's callback: it gets the deadline of its kind, and its calls and errors are counted for the plugin.
 *
 * @param place name in messages, such as `route GET /shop`
 * @throws Error for anything but a function
 */
export function guardedCallback<Args extends unknown[], Result>(
  calls: PluginCalls,
  slug: string,
  kind: CallKind,
  place: string,
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  if (typeof callback !== 'function') throw new Error(`${slug}: the ${place} must be a function.`);
  return calls.guard(slug, place, { kind }, callback);
}
