import type { CallContext } from './context.js';
import type { HomeBlockRecord, MenuRecord, SettingsTabRecord, SetupStepRecord, WidgetRecord } from './contributions.js';
import type { HostRecord } from './hosts.js';
import type { PackageOffer, RenewalOffer } from './offers.js';
import type { OrderProduct, OrderRecord } from './orders.js';

/**
 * Every hook and the listener it calls. Plugins add their own hooks by declaration merging.
 *
 * A listener may return a promise; listeners run one after another in ascending priority.
 * Source: docs/plugin-api.md "Hooks".
 *
 * @example
 * ```ts
 * declare module '@svc/sdk' {
 *   interface HookMap {
 *     'coupons.used': (code: string, orderId: number) => void;
 *   }
 * }
 * svc.svc_add_action('coupons.used', (code, orderId) => svc.log.info('used', { code, orderId }));
 * await svc.svc_do_action('coupons.used', 'SPRING', 7);
 * ```
 * @since 1.84.0
 */
export interface HookMap {
  /** The panel has started: migrations ran, enabled plugins are active, it serves requests. */
  boot: () => void;
  /** A hosting account was provisioned. `bh` is the code of its node. Durable. */
  'host.created': (user: string, zjid: number, bh: string) => void;
  /** A hosting account was paused. Durable. */
  'host.paused': (user: string, zjid: number) => void;
  /** A pause was lifted and the account runs again. Durable. */
  'host.unpaused': (user: string, zjid: number) => void;
  /** The expiry moved; `newDate` is `YYYY-MM-DD`, `0000-00-00` for "never expires". Durable. */
  'host.renewed': (user: string, zjid: number, newDate: string) => void;
  /** A hosting account is of another package; `key` is that package's, empty for none. Durable. */
  'host.package.changed': (user: string, zjid: number, key: string) => void;
  /** A hosting account was terminated. Durable. */
  'host.deleted': (user: string, zjid: number) => void;
  /** An order was settled; fires exactly once per order. Durable. */
  'order.paid': (order: OrderRecord) => void;
  /**
   * An unpaid order was closed: its buyer, an administrator or the clock gave it up, and what was held for it may be given back. A payment
   * that comes late still settles it, and `order.paid` follows. Durable.
   */
  'order.closed': (order: OrderRecord) => void;
  /** A signed-in administrator opens a page of the admin side; runs before the page is made. */
  'init.admin': () => void;
  /** A signed-in user opens a page of the user side; runs before the page is made. */
  'init.user': () => void;
  /** Sections below the panel's own on the home page: change the list in place or return another one. `call` is its visitor's request. */
  'home.blocks': (blocks: HomeBlockRecord[], call: CallContext) => HomeBlockRecord[] | void;
  /** The scheduled tick, once a minute however many processes run. */
  cron: () => void;
  /** The admin menu is being built: change the list in place or return another one. */
  'menu.admin': (menu: MenuRecord[]) => MenuRecord[] | void;
  /** The user menu is being built: change the list in place or return another one. */
  'menu.user': (menu: MenuRecord[]) => MenuRecord[] | void;
  /** Steps of the guide for a new installation, on the dashboard of administrators: change the list in place or return another one. */
  'dashboard.admin.steps': (steps: SetupStepRecord[], call: CallContext) => SetupStepRecord[] | void;
  /** Widgets of the admin dashboard: change the list in place or return another one. */
  'dashboard.admin.widgets': (widgets: WidgetRecord[]) => WidgetRecord[] | void;
  /** Widgets of the user dashboard: change the list in place or return another one. */
  'dashboard.user.widgets': (widgets: WidgetRecord[]) => WidgetRecord[] | void;
  /** Tabs of the admin settings page: change the list in place or return another one. */
  'settings.admin.tabs': (tabs: SettingsTabRecord[]) => SettingsTabRecord[] | void;
  /**
   * What the owner of a host may renew it for, asked whenever a price is needed: return the list with the host's own offers added. Prices
   * come from here alone; of two offers of as many months the first counts.
   */
  'host.renewal.offers': (offers: RenewalOffer[], host: HostRecord) => RenewalOffer[] | void;
  /** What coupons may be limited to: every product of the plugin, by the name its orders give it. */
  'order.products': (products: OrderProduct[]) => OrderProduct[] | void;
  /**
   * Packages the owner of a host may change to, and the one it is of: return the list with the host's own offers added. Asked whenever a
   * price is needed; of two offers of the same key the first counts.
   */
  'host.package.offers': (offers: PackageOffer[], host: HostRecord) => PackageOffer[] | void;
  /** Before a gateway is called: a non-empty string is shown instead (an identity check, say). */
  'pay.dispatch.before': (value: string | null, type: string, order: OrderRecord) => string | null | void;
}

/**
 * A hook known to {@link HookMap}.
 *
 * @example
 * ```ts
 * const hooks: HookName[] = ['host.created', 'host.deleted'];
 * for (const hook of hooks) svc.svc_add_action(hook, () => svc.log.info(hook));
 * ```
 * @since 1.84.0
 */
export type HookName = keyof HookMap & string;

/**
 * Every hook the panel fires: those of {@link HookMap} that are its own.
 *
 * @example
 * ```ts
 * for (const hook of PANEL_HOOKS) svc.log.debug('the panel fires', { hook });
 * ```
 * @since 1.84.0
 */
export const PANEL_HOOKS = [
  'boot',
  'cron',
  'init.admin',
  'init.user',
  'host.created',
  'host.paused',
  'host.unpaused',
  'host.renewed',
  'host.package.changed',
  'host.deleted',
  'order.paid',
  'order.closed',
  'menu.admin',
  'menu.user',
  'dashboard.admin.steps',
  'dashboard.admin.widgets',
  'dashboard.user.widgets',
  'settings.admin.tabs',
  'home.blocks',
  'host.renewal.offers',
  'order.products',
  'host.package.offers',
  'pay.dispatch.before',
] as const satisfies readonly HookName[];

/**
 * The arguments a listener of hook `H` gets; of an undeclared hook, anything.
 *
 * @example
 * ```ts
 * const seen: HookArguments<'host.created'>[] = [];
 * svc.svc_add_action('host.created', (...args) => void seen.push(args)); // [user, zjid, bh]
 * ```
 * @since 1.84.0
 */
export type HookArguments<H extends string> = H extends HookName ? Parameters<HookMap[H]> : unknown[];

/**
 * A listener of hook `H`: may be asynchronous; what it returns counts for filters and by-reference hooks alone.
 *
 * @example
 * ```ts
 * const welcome: HookListener<'host.created'> = (user, id, node) => svc.log.info('welcome', { user, id, node });
 * svc.svc_add_action('host.created', welcome);
 * ```
 * @since 1.84.0
 */
export type HookListener<H extends string> = (...args: HookArguments<H>) => unknown;

/**
 * Hooks whose events are rows: written with the state change, delivered after the commit, retried until every listener has finished.
 *
 * @example
 * ```ts
 * const isDurable = (hook: string): boolean => (DURABLE_HOOKS as readonly string[]).includes(hook);
 * svc.log.debug('kept until it was delivered', { paid: isDurable('order.paid'), cron: isDurable('cron') });
 * ```
 * @since 1.84.0
 */
export const DURABLE_HOOKS = [
  'host.created',
  'host.paused',
  'host.unpaused',
  'host.renewed',
  'host.package.changed',
  'host.deleted',
  'order.paid',
  'order.closed',
] as const;

/**
 * One of {@link DURABLE_HOOKS}.
 *
 * @example
 * ```ts
 * const hook: DurableHook = 'host.deleted';
 * svc.svc_add_action(hook, (user) => svc.log.info('gone', { user }), 10, { id: 'farewell' });
 * ```
 * @since 1.84.0
 */
export type DurableHook = (typeof DURABLE_HOOKS)[number];

/**
 * What `svc.event()` tells a listener of a durable hook about the delivery it is in.
 *
 * @example
 * ```ts
 * svc.svc_add_action('order.paid', async (order) => {
 *   const event: EventInfo | null = svc.event();
 *   await svc.svc_http_post('https://crm.example.com/paid', { id: order.ddh }, { 'Idempotency-Key': event?.idempotencyKey ?? order.ddh });
 * }, 10, { id: 'crm' });
 * ```
 * @since 1.84.0
 */
export interface EventInfo {
  /** Row id of the event; grows with time. */
  readonly id: number;
  readonly hook: DurableHook;
  /** Who caused it: `admin`, `user`, `api`, `cron`, or a plugin's slug. */
  readonly source: string;
  /** The whole row the event is about, without secrets. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Same for every retry to this listener: use it as request id for outside effects. At most 128 characters. */
  readonly idempotencyKey: string;
  /** 1 on the first delivery. */
  readonly attempt: number;
}
