import type { AjaxResult, AuthPolicy, CallContext, OverrideResult, PageResult, RouteResult, Scope } from './context.js';
import type { MenuRecord, SettingsTabRecord, WidgetRecord } from './contributions.js';
import type { CreditService } from './credit.js';
import type { CustomerAccountsService, CustomersService } from './customers.js';
import type { DnsDriverRecord } from './dns.js';
import type { EventInfo, HookArguments, HookListener } from './hooks.js';
import type { HostDriverRecord } from './host-driver/index.js';
import type { HostsService } from './hosts.js';
import type { PluginPageOptions } from './lists.js';
import type { NamesService } from './names.js';
import type { NoticeChannelRecord, NoticesService } from './notices.js';
import type { OrderRecord, OrdersService } from './orders.js';
import type { PasswordsService } from './passwords.js';
import type { BuildResult, LogText, PaymentMethodRecord, PaymentRecord, SettlementExtra, SettlementResult } from './payments.js';
import type { PluginDatabase } from './plugin-database.js';
import type { HttpRequest, HttpResponse, PluginLogger, SiteInfo } from './plugin-services.js';
import type { AjaxOptions, ListenerOptions, OptionOptions, RouteOptions, Undo } from './registration.js';
import type { FormValues } from './row-versions.js';
import type { WorkFacade } from './work.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * Everything a plugin can do. A function plugin gets it as its argument; a Nest module injects it under {@link SVC_FACADE}.
 *
 * @example
 * ```ts
 * svc.svc_register_ajax('user', 'p_hello_ping', (ctx) => ({ code: 'pong', user: ctx.user!.username }), 'user');
 * const timer = svc.setInterval(() => svc.log.debug('still here'), 60_000); // ends with the plugin
 * svc.onStop(() => clearInterval(timer));
 * ```
 * @since 1.84.0
 */
export interface SvcFacade extends WorkFacade {
  /** Slug of this plugin. */
  readonly slug: string;
  /** Absolute folder of this plugin. */
  readonly path: string;
  /** IANA zone of the panel's days (`TIMEZONE`), such as `Asia/Shanghai`: an account runs to the end of its last day there. */
  readonly timezone: string;
  /**
   * A moment for people who may be anywhere, as pages of the plugin's own and its mails say it: to the minute, on the clocks of
   * {@link SvcFacade.timezone}, with how far they are ahead of UTC. Columns of lists have the kind `moment` in place of it.
   *
   * @param moment a `Date`, milliseconds since 1970, ISO 8601, or a time as the panel's operations answer it, which is one of its zone
   * @throws TypeError where it is none of these, or a day without a time, such as `HostRecord.expiresOn`, which is that day everywhere
   * @example
   * ```ts
   * svc.timeText('2026-11-21T16:05:09Z'); // "2026-11-22 00:05 UTC+8" where TIMEZONE is Asia/Shanghai
   * ```
   */
  timeText(moment: Date | number | string): string;
  readonly site: SiteInfo;
  readonly hosts: HostsService;
  /** Who buys, and whose hosts are; needs the permission `customers`. */
  readonly customers: CustomersService;
  /** What account pages are made of; needs the permission `customers`. */
  readonly customerAccounts: CustomerAccountsService;
  /** Credit of customers; needs the permission `credit`. */
  readonly credit: CreditService;
  readonly orders: OrdersService;
  /** Second-level names below domains of the reseller; needs the permission `names`. */
  readonly names: NamesService;
  readonly notices: NoticesService;
  /** Passwords of accounts that are the plugin's own. */
  readonly passwords: PasswordsService;
  readonly db: PluginDatabase;
  readonly log: PluginLogger;
  /**
   * A text of the plugin's `lang` files outside of a request, where there is no `ctx.t`.
   *
   * @param locale such as `en`; the default language where there is no such text
   */
  t(locale: string, key: string, params?: Readonly<Record<string, string | number>>): string;
  /**
   * Absolute folder for files of the plugin's own, outside its package: an upgrade leaves it, and to uninstall the plugin with its data
   * removes it. Made by the first call, shared by all processes of one machine, and part of backups of the panel.
   */
  dataFolder(): string;
  /**
   * A request to an outside service, with everything said. Never rejects, and keeps to the rules of {@link SvcFacade.svc_http_get}:
   * addresses that are not public are refused.
   */
  http(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Runs `callback` when the plugin stops (disabled, upgraded, a start that failed, end of the panel), once the calls under way
   * have ended; the last one given runs first. Ten seconds for all of them together, the life-cycle hooks of Nest modules included.
   */
  onStop(callback: () => MaybePromise<void>): void;
  /** As Node's, and cleared when the plugin stops; so are the global ones, which a plugin may use as well. */
  setTimeout<Args extends unknown[]>(callback: (...args: Args) => unknown, milliseconds?: number, ...args: Args): NodeJS.Timeout;
  /** As Node's, and cleared when the plugin stops. */
  setInterval<Args extends unknown[]>(callback: (...args: Args) => unknown, milliseconds?: number, ...args: Args): NodeJS.Timeout;
  /** As Node's, and cleared when the plugin stops. */
  setImmediate<Args extends unknown[]>(callback: (...args: Args) => unknown, ...args: Args): NodeJS.Immediate;
  /** The delivery this listener is in; null outside a durable listener. */
  event(): EventInfo | null;

  /**
   * Tells the plugin list more of the plugin than `plugin.json` does (name, version, author, description, icon, homepage). False for
   * another slug than its own.
   */
  svc_plugin_register(slug: string, info: Record<string, unknown>): boolean;
  /**
   * Calls `callback` whenever the hook is fired; in ascending priority (10 where nothing is given), then in the order of adding.
   *
   * @throws Error for a name that the panel does not fire and that looks like one of its own
   */
  svc_add_action<H extends string>(hook: H, callback: HookListener<H>, priority?: number, options?: ListenerOptions): Undo;
  /** Fires a hook of the plugin's own and waits for its listeners; one that throws stops nobody. @throws Error for a durable hook */
  svc_do_action<H extends string>(hook: H, ...args: HookArguments<H>): Promise<void>;
  /** Hands the value of a hook through `callback`, which returns the next one; undefined keeps it. */
  svc_add_filter(hook: string, callback: (value: never, ...args: never[]) => unknown, priority?: number): Undo;
  /** The value after all filters of the hook. */
  svc_apply_filters<T>(hook: string, value: T, ...args: unknown[]): Promise<T>;

  /** An operation under `/admin/ajax.php` or `/user/ajax.php`; `gn` starts with `p_`. @throws Error for a name that is taken */
  svc_register_ajax(
    scope: Scope,
    gn: string,
    callback: (ctx: CallContext) => MaybePromise<AjaxResult>,
    auth?: AuthPolicy,
    options?: AjaxOptions,
  ): Undo;
  /**
   * A page at `/{scope}/plugin.php?p={slug}&page={page}`, from a file of the plugin's folder or a function; whoever is not signed in on
   * that side does not see it. A function returns HTML, and null where there is nothing at this address: the panel answers 404 inside the
   * frame of its side. Anything else is an empty page.
   *
   * @throws Error for a page that is there already, or a file that is not
   */
  svc_register_page(
    scope: Scope,
    page: string,
    file: string | ((ctx: CallContext) => MaybePromise<PageResult>),
    title: string,
    options?: PluginPageOptions,
  ): Undo;
  /** An entry of the side bar, with at most two levels below it. */
  svc_register_menu(scope: Scope, menu: MenuRecord): Undo;
  /** A card of the dashboard; it has two seconds to be made. */
  svc_register_widget(scope: Scope, area: string, callback: (ctx: CallContext) => MaybePromise<string | WidgetRecord | null>): Undo;
  /** A tab of the settings page. @throws Error for fields that cannot work */
  svc_register_settings_tab(scope: Scope, tab: SettingsTabRecord): Undo;
  /** Is asked for the home page first: a path or URL to go to, a page, or null to pass on. */
  svc_register_home(callback: (ctx: CallContext) => MaybePromise<PageResult>, priority?: number): Undo;
  /**
   * A route of its own. `{name}` in the path is one segment, `*` as method is any; routes are asked by priority, then by registration.
   *
   * @throws Error for a path or method there cannot be, and below an address of the panel or of another gateway (docs/plugin-api.md)
   */
  svc_register_route(
    method: string,
    path: string,
    callback: (params: Record<string, string>, ctx: CallContext) => MaybePromise<RouteResult>,
    priority?: number,
    auth?: AuthPolicy,
    options?: RouteOptions,
  ): Undo;
  /** Replaces or surrounds a view of the theme. */
  svc_register_page_override(
    scope: Scope,
    view: string,
    callback: (vars: Record<string, unknown>, ctx: CallContext) => MaybePromise<OverrideResult>,
    priority?: number,
  ): Undo;
  /** Replaces or surrounds a part of views, such as `head`. */
  svc_register_partial_override(
    scope: Scope,
    view: string,
    callback: (vars: Record<string, unknown>, ctx: CallContext) => MaybePromise<OverrideResult>,
    priority?: number,
  ): Undo;

  /** An option of this plugin, or of one that shares its own (`share_options`); `fallback` where there is none. */
  svc_plugin_option_get<T = unknown>(slug: string, key: string, fallback?: T): Promise<T>;
  /**
   * Keeps an option: objects as JSON, the rest as text; at most 60 KB. One that is a secret is encrypted in the database, at most 40 KB.
   *
   * @throws Error where the plugin does not share its options, and for a value or key that cannot be kept
   */
  svc_plugin_option_set(slug: string, key: string, value: unknown, options?: OptionOptions): Promise<boolean>;
  /** Throws the failure answer when the current request is not an administrator's. */
  svc_plugin_require_admin(): void;
  /** Throws the failure answer when the current request is not a user's. */
  svc_plugin_require_user(): void;
  /** Whether the present request is of somebody the policy lets in. */
  svc_plugin_auth_check(auth: AuthPolicy): Promise<boolean>;
  /** Sends the failure answer of `auth` and ends the request (it throws; do not catch it). */
  svc_plugin_auth_fail(auth: AuthPolicy): never;
  /**
   * The version of what a form shows of something that is there already, for the form's hidden field `row_version`: a hash of each field.
   * An operation whose form stays open answers the next one in `row_version`, and the form takes it over.
   *
   * @throws TypeError for a field that cannot be one
   * @example
   * ```ts
   * const input = html`<input type="hidden" name="row_version" value="${svc.svc_row_version({ name: 'Alice', seats: 3 })}">`;
   * ```
   * @since 1.84.0
   */
  svc_row_version(values: FormValues): string;
  /**
   * Refuses a form that was filled in from values which are no longer true, so that of two tabs the second is told and nothing is
   * overwritten unsaid. Call it where nobody else can change the row any more: in the transaction that writes it, after a first write to
   * it. It throws a {@link RefusedForm}; leave it alone, and the answer is that of the panel's forms, `err` `E_CONFLICT` with `fields` and
   * the present `row_version`.
   *
   * @param version what the form brought, `ctx.body.row_version`; undefined and empty compare nothing
   * @param present values of the form's fields as they are now; fields the version does not name are left alone
   * @throws RefusedForm; TypeError for a field that cannot be one
   * @example
   * ```ts
   * svc.svc_register_ajax('admin', 'p_coupons_save', ({ body }) => svc.db.transaction(async () => {
   *   // Written first, so that nobody else changes what is read next.
   *   await svc.db.run('UPDATE {coupon} SET price = price WHERE code = ?', [body.code]);
   *   const [coupon] = await svc.db.query<{ price: number }>('SELECT price FROM {coupon} WHERE code = ?', [body.code]);
   *   svc.svc_check_row_version(body.row_version, { price: coupon?.price ?? null });
   *   await svc.db.run('UPDATE {coupon} SET price = ? WHERE code = ?', [Number(body.price), body.code]);
   *   return { success: true, code: 'Saved', row_version: svc.svc_row_version({ price: Number(body.price) }) };
   * }), 'admin', { audit: 'Saved a coupon' });
   * ```
   * @since 1.84.0
   */
  svc_check_row_version(version: string | undefined, present: FormValues): void;
  /** Asks an outside service; never throws for its answer. Addresses inside the network are refused. */
  svc_http_get(url: string, headers?: Record<string, string> | string[]): Promise<HttpResponse>;
  /** Sends to an outside service: an object as JSON, a text as a form; see {@link SvcFacade.svc_http_get}. */
  svc_http_post(
    url: string,
    data: string | Buffer | Record<string, unknown>,
    headers?: Record<string, string> | string[],
  ): Promise<HttpResponse>;

  /** Makes the plugin a gateway; `slug` is its own. @throws Error for methods that are none */
  svc_register_payment(slug: string, info: PaymentRecord): Undo;
  /**
   * A kind of notice channel, offered on **Notices → Channels** of both sides while the plugin is on; `kind` is the plugin's own name
   * of it, 1 to 32 of `a-z 0-9 _ -`.
   *
   * @throws Error for a kind the plugin has registered already, and a record that cannot work
   */
  svc_register_notice_channel(kind: string, channel: NoticeChannelRecord): Undo;
  /**
   * A kind of server, offered on **Servers → add** while the plugin is on; `kind` is the plugin's own name of it, 1 to 32 of `a-z 0-9 _ -`.
   * The driver is given the keys of its servers: `permissions` of plugin.json has to name `host_driver`.
   *
   * @throws Error without that permission, for a kind that is registered already, naming whose it is, and for a record that cannot work
   */
  svc_register_host_driver(kind: string, driver: HostDriverRecord): Undo;
  /**
   * A kind of DNS provider, offered on **DNS providers** while the plugin is on; `kind` is the plugin's own name of it, 1 to 32 of
   * `a-z 0-9 _ -`. It is given the credentials of its accounts: `permissions` of plugin.json has to name `dns`.
   *
   * @throws Error without that permission, for a kind the plugin has registered already, and for a record that cannot work
   */
  svc_register_dns_driver(kind: string, driver: DnsDriverRecord): Undo;
  /** Every gateway that runs, by slug, with its methods. */
  svc_get_payment_plugins(): Record<string, { name: string; methods: Record<string, string> }>;
  /**
   * What buyers can choose now, in their order; methods whose gateway is off are left out.
   *
   * @param locale language of who reads the names, `ctx.locale`; without it they are as gateways registered them
   */
  svc_get_enabled_payment_methods(locale?: string): Promise<PaymentMethodRecord[]>;
  /** Keeps which methods buyers can choose, and answers them as they are kept. */
  svc_save_payment_methods(methods: Partial<PaymentMethodRecord>[]): Promise<PaymentMethodRecord[]>;
  /** The payment type of a method, `{slug}__{method}`. */
  svc_pay_type(slug: string, method: string): string;
  /** Gateway and method of a payment type; false for what is none. */
  svc_pay_parse_type(type: string): { slug: string; method: string } | false;
  /** Sends an order to a gateway: what its `build` answers. */
  svc_pay_dispatch_gateway(order: OrderRecord | string | number, type: string): Promise<BuildResult>;
  /**
   * Settles an order that its gateway says is paid, once; refuses another amount, currency or gateway. Only after the signature was
   * checked.
   */
  svc_pay_settle_order(order: OrderRecord | string, gatewaySlug: string, extra?: SettlementExtra): Promise<SettlementResult>;
  /**
   * A line of the payment log: a text of the plugin's `lang` files, which each reader has in his own language, or words as they are.
   *
   * @example
   * ```ts
   * await svc.svc_pay_log({ key: 'log_signature', params: { number } }, 'warning');
   * ```
   */
  svc_pay_log(content: string | LogText, level?: string): Promise<void>;
}
