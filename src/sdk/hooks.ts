import type { CallContext } from './context.js';
import type { HomeBlockRecord, MenuRecord, SettingsTabRecord, SetupStepRecord, WidgetRecord } from './contributions.js';
import type { HostRecord } from './hosts.js';
import type { PackageOffer, RenewalOffer } from './offers.js';
import type { OrderProduct, OrderRecord } from './orders.js';

/**
 * Every hook and the signature of its listeners. Plugins add their own hooks by declaration merging.
 *
 * A listener may return a promise; listeners run one after another in ascending priority. Source: docs/plugin-api.md "Hooks".
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
  /** The panel has started: migrations have run, enabled plugins are active, and it serves requests. */
  boot: () => void;
  /** A hosting account was provisioned. `bh` is the code of its node. Durable. */
  'host.created': (user: string, zjid: number, bh: string) => void;
  /** A hosting account was paused. Durable. */
  'host.paused': (user: string, zjid: number) => void;
  /** A pause was lifted and the account is active again. Durable. */
  'host.unpaused': (user: string, zjid: number) => void;
  /** The expiry date changed; `newDate` is `YYYY-MM-DD`, `0000-00-00` for "never expires". Durable. */
  'host.renewed': (user: string, zjid: number, newDate: string) => void;
  /** The package of a hosting account changed; `key` is the key of the new package, empty for none. Durable. */
  'host.package.changed': (user: string, zjid: number, key: string) => void;
  /** A hosting account was terminated. Durable. */
  'host.deleted': (user: string, zjid: number) => void;
  /** An order was settled; fires exactly once per order. Durable. */
  'order.paid': (order: OrderRecord) => void;
  /**
   * An unpaid order was closed by its buyer, an administrator or the time limit, so reservations made for it may be released. A late
   * payment still settles the order, and `order.paid` follows. Durable.
   */
  'order.closed': (order: OrderRecord) => void;
  /** A signed-in administrator opens a page of the admin side; runs before the page is rendered. */
  'init.admin': () => void;
  /** A signed-in user opens a page of the user side; runs before the page is rendered. */
  'init.user': () => void;
  /** Sections below the panel's own on the home page: change the list in place or return a new one. `call` is the visitor's request. */
  'home.blocks': (blocks: HomeBlockRecord[], call: CallContext) => HomeBlockRecord[] | void;
  /** The scheduled tick, once a minute regardless of the number of processes. */
  cron: () => void;
  /** The admin menu is being built: change the list in place or return a new one. */
  'menu.admin': (menu: MenuRecord[]) => MenuRecord[] | void;
  /** The user menu is being built: change the list in place or return a new one. */
  'menu.user': (menu: MenuRecord[]) => MenuRecord[] | void;
  /** Steps of the setup guide for a new installation, on the admin dashboard: change the list in place or return a new one. */
  'dashboard.admin.steps': (steps: SetupStepRecord[], call: CallContext) => SetupStepRecord[] | void;
  /** Widgets of the admin dashboard: change the list in place or return a new one. */
  'dashboard.admin.widgets': (widgets: WidgetRecord[]) => WidgetRecord[] | void;
  /** Widgets of the user dashboard: change the list in place or return a new one. */
  'dashboard.user.widgets': (widgets: WidgetRecord[]) => WidgetRecord[] | void;
  /** Tabs of the admin settings page: change the list in place or return a new one. */
  'settings.admin.tabs': (tabs: SettingsTabRecord[]) => SettingsTabRecord[] | void;
  /**
   * The renewals offered to the owner of a host; fired whenever a price is needed: return the list with your own offers for the host added.
   * These offers are the only source of prices; of two offers for the same number of months, the first counts.
   */
  'host.renewal.offers': (offers: RenewalOffer[], host: HostRecord) => RenewalOffer[] | void;
  /** What coupons may be limited to: every product of the plugin, by the name its orders use. */
  'order.products': (products: OrderProduct[]) => OrderProduct[] | void;
  /**
   * The packages the owner of a host may change to, and its current one: return the list with your own offers for the host added. Fired
   * whenever a price is needed; of two offers with the same key, the first counts.
   */
  'host.package.offers': (offers: PackageOffer[], host: HostRecord) => PackageOffer[] | void;
  /** Runs before a gateway is called: a non-empty string is shown instead (for example an identity check). */
  'pay.dispatch.before': (value: string | null, type: string, order: OrderRecord) => string | null | void;
}

/**
 * Name of a hook in {@link HookMap}.
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
 * Every hook the panel fires: the entries of {@link HookMap} that belong to the panel.
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
 * The arguments of a listener of hook `H`; for an undeclared hook, any arguments.
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
 * A listener of hook `H`. It may be asynchronous; its return value is used only by filters and by-reference hooks.
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
 * Hooks whose events are stored as rows: written with the state change, delivered after the commit, retried until every listener has
 * finished.
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
 * Name of one of the {@link DURABLE_HOOKS}.
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
 * What `svc.event()` returns to a listener of a durable hook about the current delivery.
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
  /** Row id of the event; increases over time. */
  readonly id: number;
  readonly hook: DurableHook;
  /** The actor that caused the event: `admin`, `user`, `api`, `cron`, or a plugin's slug. */
  readonly source: string;
  /** The complete row the event is about, without secrets. */
  readonly row: Readonly<Record<string, unknown>>;
  /** The same for every retry to this listener: use it as request id for outside effects. At most 128 characters. */
  readonly idempotencyKey: string;
  /** Number of the delivery attempt; 1 on the first. */
  readonly attempt: number;
}
