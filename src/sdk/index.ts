import type { SvcFacade } from './facade.js';

export * from './context.js';
export * from './facade.js';
export * from './hooks.js';
export * from './html.js';
export * from './lists.js';
export * from './records.js';

/** Version of the plugin API this panel offers; `requires` in plugin.json is checked against it. */
export const API_VERSION = '1.84.0';

/** Token under which a plugin written as a Nest module injects {@link SvcFacade}. */
export const SVC_FACADE = Symbol.for('@svc/sdk:facade');

/** A plugin written as a function. */
export type PluginFunction = (svc: SvcFacade) => void | Promise<void>;

/**
 * Gives a function plugin its types; at run time it returns what it got.
 *
 * @example
 * ```js
 * const { definePlugin } = require('@svc/sdk');
 * module.exports = definePlugin((svc) => {
 *   svc.svc_add_action('order.paid', async (order) => svc.log.info('paid', { order: order.ddh }));
 * });
 * ```
 */
export function definePlugin(plugin: PluginFunction): PluginFunction {
  return plugin;
}
