import type { SvcFacade } from './facade.js';

export { visitingProgram, type VisitorProgram } from './browsers.js';
export * from './context.js';
export * from './contributions.js';
export * from './credit.js';
export { amountText, currency, currencyOf, CURRENCY_CODES, moneyText, readAmount, type CurrencyRecord } from './currency.js';
export * from './customers.js';
export * from './dns.js';
export * from './facade.js';
export * from './gateway-records.js';
export * from './hooks.js';
export * from './host-driver/index.js';
export * from './hosts.js';
export * from './html.js';
export * from './lists.js';
export * from './manifest.js';
export * from './names.js';
export * from './notices.js';
export * from './offers.js';
export * from './orders.js';
export * from './passwords.js';
export * from './payments.js';
export * from './plugin-database.js';
export * from './plugin-services.js';
export * from './registration.js';
export * from './row-versions.js';
export * from './theme.js';
export * from './work.js';

/**
 * Version of the plugin API this panel provides; `requires` in plugin.json is checked against it.
 *
 * @example
 * ```ts
 * svc.log.info('made for the plugin API', { version: API_VERSION });
 * ```
 * @since 1.84.0
 */
export const API_VERSION = '1.84.0';

/**
 * Injection token of {@link SvcFacade} for plugins written as Nest modules.
 *
 * @example
 * ```ts
 * import { Inject, type DynamicModule } from '@nestjs/common';
 *
 * class Coupons {
 *   constructor(@Inject(SVC_FACADE) panel: SvcFacade) {
 *     panel.svc_register_route('GET', '/coupons', () => ({ from: panel.slug }));
 *   }
 * }
 *
 * export default { module: class CouponsModule {}, providers: [Coupons] } satisfies DynamicModule;
 * ```
 * @since 1.84.0
 */
export const SVC_FACADE = Symbol.for('@svc/sdk:facade');

/**
 * A plugin written as a function.
 *
 * @example
 * ```ts
 * const plugin: PluginFunction = async (panel) => {
 *   panel.svc_register_route('GET', '/hello', () => 'hello');
 * };
 * export default plugin;
 * ```
 * @since 1.84.0
 */
export type PluginFunction = (svc: SvcFacade) => void | Promise<void>;

/**
 * Adds types to a function plugin; at run time it returns its argument.
 *
 * @example
 * ```ts
 * export default definePlugin((panel) => {
 *   panel.svc_add_action('order.paid', (order) => panel.log.info('paid', { order: order.ddh }));
 * });
 * ```
 * @since 1.84.0
 */
export function definePlugin(plugin: PluginFunction): PluginFunction {
  return plugin;
}
