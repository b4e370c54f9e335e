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
import type { AjaxField, AjaxInput, AjaxOptions, ListenerOptions, OptionOptions, RouteOptions, Undo } from './registration.js';
import type { FormValues } from './row-versions.js';
import type { WorkFacade } from './work.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * Everything a plugin can do. A function plugin receives it as its argument; a Nest module injects it with {@link SVC_FACADE}.
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
  /** Absolute path of this plugin's folder. */
  readonly path: string;
  /** IANA time zone of the panel's days (`TIMEZONE`), such as `Asia/Shanghai`: an account runs to the end of its last day in this zone. */
  readonly timezone: string;
  /**
   * Formats a moment for readers in any time zone, for the plugin's own pages and mails: to the minute, in {@link SvcFacade.timezone}, with
   * the UTC offset. In lists, use a column of the kind `moment` instead.
   *
   * @param moment a `Date`, milliseconds since 1970, ISO 8601, or a time as the panel's operations return it, which is in the panel's zone
   * @throws TypeError for anything else, including a date without a time, such as `HostRecord.expiresOn`, which is the same day everywhere
   * @example
   * ```ts
   * svc.timeText('2026-11-21T16:05:09Z'); // "2026-11-22 00:05 UTC+8" where TIMEZONE is Asia/Shanghai
   * ```
   * @since 1.84.0
   */
  timeText(moment: Date | number | string): string;
  readonly site: SiteInfo;
  readonly hosts: HostsService;
  /** Customers and the hosts they own; needs the permission `customers`. */
  readonly customers: CustomersService;
  /** The building blocks of account pages; needs the permission `customers`. */
  readonly customerAccounts: CustomerAccountsService;
  /** Credit of customers; needs the permission `credit`. */
  readonly credit: CreditService;
  readonly orders: OrdersService;
  /** Second-level names below domains of the reseller; needs the permission `names`. */
  readonly names: NamesService;
  readonly notices: NoticesService;
  /** Passwords of accounts that the plugin manages itself. */
  readonly passwords: PasswordsService;
  readonly db: PluginDatabase;
  readonly log: PluginLogger;
  /**
   * Translates a key of the plugin's `lang` files outside a request, where there is no `ctx.t`.
   *
   * @param locale such as `en`; falls back to the default language if the text does not exist in this one
   * @example
   * ```ts
   * // lang/en.json: { "soon": "Coupon {code} ends soon", "soon_text": "Use it today." }
   * const subject = svc.t('en', 'soon', { code: 'A1' });
   * await svc.mail.send({ to: 'alice@example.com', subject, text: svc.t('en', 'soon_text') });
   * ```
   * @since 1.84.0
   */
  t(locale: string, key: string, params?: Readonly<Record<string, string | number>>): string;
  /**
   * Returns the URL of a file in `assets/` of the plugin's folder, for use in pages. The URL changes with the file's content, so browsers
   * may cache it for a year without revalidation; at `/app_plugins/{slug}/{path}` they revalidate each time.
   *
   * @param path relative to `assets/`, such as `shop.css`
   * @throws Error if the file does not exist
   * @example
   * ```ts
   * const head = `<link rel="stylesheet" href="${svc.asset('shop.css')}">`; // /app_plugins/shop/shop.css?v=0f3a…
   * ```
   * @since 1.84.0
   */
  asset(path: string): string;
  /**
   * Returns the absolute path of a folder for the plugin's own files, outside its package: upgrades keep it, and uninstalling the plugin
   * with its data deletes it. Created by the first call, shared by all processes of one machine, and part of backups of the panel.
   *
   * @example
   * ```ts
   * import { writeFile } from 'node:fs/promises'; // needs the permission `fs`
   * import { join } from 'node:path';
   *
   * await writeFile(join(svc.dataFolder(), 'codes.csv'), 'code,price\nA1,9.90\n');
   * ```
   * @since 1.84.0
   */
  dataFolder(): string;
  /**
   * Sends a request to an outside service, with full control over it. Never rejects because of the response status. The rules of
   * {@link SvcFacade.svc_http_get} apply: addresses that are not public are refused.
   *
   * @throws Error with `code` `PERMISSION_MISSING` if `permissions` of plugin.json contains neither `network` nor this host
   * @example
   * ```ts
   * const body = { code: 'A1', price: 990 };
   * const answer = await svc.http({ url: 'https://api.example.com/coupons/7', method: 'PUT', body, timeoutMs: 5_000 });
   * if (!answer.ok) svc.log.warn('not sent', { status: answer.code, error: answer.error });
   * ```
   * @since 1.84.0
   */
  http(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Runs `callback` when the plugin stops (disabled, upgraded, failed start, panel shutdown), after the calls in progress have ended.
   * Callbacks run in reverse order of registration. All of them together get ten seconds, including the life-cycle hooks of Nest modules.
   *
   * @example
   * ```ts
   * import { watch } from 'node:fs'; // needs the permission `fs`
   *
   * const watcher = watch(svc.dataFolder(), () => svc.log.debug('a file has changed'));
   * svc.onStop(() => watcher.close()); // timers end by themselves, watchers do not
   * ```
   * @since 1.84.0
   */
  onStop(callback: () => MaybePromise<void>): void;
  /**
   * Like Node's `setTimeout`, and cleared when the plugin stops. The global timer functions are cleared as well, so a plugin may use those.
   *
   * @example
   * ```ts
   * const late = svc.setTimeout((code: string) => svc.log.info('nobody took it', { code }), 30_000, 'A1');
   * svc.svc_add_action('order.paid', () => clearTimeout(late), 10, { id: 'taken' });
   * ```
   * @since 1.84.0
   */
  setTimeout<Args extends unknown[]>(callback: (...args: Args) => unknown, milliseconds?: number, ...args: Args): NodeJS.Timeout;
  /**
   * Like Node's `setInterval`, and cleared when the plugin stops.
   *
   * @example
   * ```ts
   * const seen = new Map<string, number>(); // codes, and when each was looked up
   * svc.setInterval(() => {
   *   for (const [code, at] of seen) if (Date.now() - at > 60_000) seen.delete(code);
   * }, 60_000);
   * ```
   * @since 1.84.0
   */
  setInterval<Args extends unknown[]>(callback: (...args: Args) => unknown, milliseconds?: number, ...args: Args): NodeJS.Timeout;
  /**
   * Like Node's `setImmediate`, and cleared when the plugin stops.
   *
   * @example
   * ```ts
   * const portions = [['A1', 'B2'], ['C3']];
   * const next = (): void => {
   *   for (const code of portions.shift() ?? []) svc.log.debug('looked at', { code });
   *   if (portions.length > 0) svc.setImmediate(next); // others have their turn in between
   * };
   * next();
   * ```
   * @since 1.84.0
   */
  setImmediate<Args extends unknown[]>(callback: (...args: Args) => unknown, ...args: Args): NodeJS.Immediate;
  /**
   * Returns the event delivery the current listener handles; null outside a durable listener.
   *
   * @example
   * ```ts
   * svc.svc_add_action('host.created', async (user, id) => {
   *   const { idempotencyKey, attempt } = svc.event()!; // this hook is durable
   *   if (attempt > 1) svc.log.info('told again', { user, attempt });
   *   const answer = await svc.svc_http_post('https://crm.example.com/hosts', { id, user }, { 'Idempotency-Key': idempotencyKey });
   *   if (!answer.ok) throw new Error(answer.error); // it is tried again later, with the same key
   * }, 10, { id: 'crm' });
   * ```
   * @since 1.84.0
   */
  event(): EventInfo | null;

  /**
   * Sets what the plugin list shows beyond `plugin.json` (name, version, author, description, icon, homepage). Returns false for a slug
   * other than the plugin's own.
   *
   * @example
   * ```ts
   * svc.svc_plugin_register(svc.slug, { name: 'Coupons', icon: 'mdi-ticket', homepage: 'https://coupons.example.com' });
   * ```
   * @since 1.84.0
   */
  svc_plugin_register(slug: string, info: Record<string, unknown>): boolean;
  /**
   * Calls `callback` whenever the hook is fired; in ascending priority (10 by default), then in order of registration.
   *
   * @throws Error for a name that looks like one of the panel's hooks but that the panel does not fire
   * @example
   * ```ts
   * svc.svc_add_action('order.paid', async (order) => {
   *   if (order.scene === 'coupon') await svc.db.run('UPDATE {coupon} SET paid = 1 WHERE order_no = ?', [order.ddh]);
   * }, 10, { id: 'paid' }); // a durable hook: the name stays, so that it is the same listener after an update
   * svc.svc_add_action('menu.user', (menu) => menu.filter(({ title }) => title !== 'Coupons'));
   * ```
   * @since 1.84.0
   */
  svc_add_action<H extends string>(hook: H, callback: HookListener<H>, priority?: number, options?: ListenerOptions): Undo;
  /**
   * Fires a hook of the plugin's own and waits for its listeners; a listener that throws does not stop the others.
   *
   * @throws Error for a durable hook
   * @example
   * ```ts
   * svc.svc_add_action('coupons.used', (code) => svc.log.info('used', { code })); // here, or in any other plugin
   * await svc.svc_do_action('coupons.used', 'SPRING', 7);
   * ```
   * @since 1.84.0
   */
  svc_do_action<H extends string>(hook: H, ...args: HookArguments<H>): Promise<void>;
  /**
   * Passes the value of a hook through `callback`, which returns the next value; undefined keeps it.
   *
   * @throws Error for a durable hook, which has no value, and for names that {@link SvcFacade.svc_add_action} refuses
   * @example
   * ```ts
   * // What the bundled plugin `accounts` shows to customers as buttons.
   * svc.svc_add_filter('accounts.links', (links: object[], ctx: CallContext) => [
   *   ...links,
   *   { href: '/p/coupons/mine', title: ctx.t('mine') },
   * ]);
   * ```
   * @since 1.84.0
   */
  svc_add_filter(hook: string, callback: (value: never, ...args: never[]) => unknown, priority?: number): Undo;
  /**
   * Returns the value after all filters of the hook.
   *
   * @example
   * ```ts
   * svc.svc_add_filter('coupons.price', (price: number, code: string) => (code === 'SPRING' ? price - 100 : price));
   * const price = await svc.svc_apply_filters('coupons.price', 990, 'SPRING'); // 890, where no other plugin changes it
   * svc.log.debug('costs', { price });
   * ```
   * @since 1.84.0
   */
  svc_apply_filters<T>(hook: string, value: T, ...args: unknown[]): Promise<T>;

  /**
   * Registers an operation under `/admin/ajax.php` or `/user/ajax.php`; `gn` starts with `p_`.
   *
   * @param callback receives the values of the fields declared in `options` as its second argument; nothing if no fields are declared
   * @throws Error for a name that is already registered, and for invalid fields
   * @example
   * ```ts
   * svc.svc_register_ajax('admin', 'p_coupons_add', async ({ t }, { code, percent = 10 }) => {
   *   await svc.db.run('INSERT INTO {coupon} (code, percent) VALUES (?, ?)', [code, percent]);
   *   return { success: true, code: t('added') };
   * }, 'admin', {
   *   audit: 'Added a coupon',
   *   fields: [
   *     { key: 'code', type: 'text', required: true, maxLength: 40 },
   *     { key: 'percent', type: 'number', whole: true, min: 1, max: 100 },
   *   ],
   * });
   * ```
   * @since 1.84.0
   */
  svc_register_ajax<const Fields extends readonly AjaxField[] = readonly []>(
    scope: Scope,
    gn: string,
    callback: (ctx: CallContext, input: AjaxInput<Fields>) => MaybePromise<AjaxResult>,
    auth?: AuthPolicy,
    options?: AjaxOptions<Fields>,
  ): Undo;
  /**
   * Registers a page at `/{scope}/plugin.php?p={slug}&page={page}`, from a file in the plugin's folder or a function; only visitors signed
   * in on that side can see it. A function returns HTML, or null if nothing exists at this address: the panel then responds with 404 inside
   * the frame of its side. Any other value gives an empty page.
   *
   * @throws Error for a page that is already registered, or a file that does not exist
   * @example
   * ```ts
   * svc.svc_register_page('admin', 'list', 'admin/list.liquid', 'Coupons'); // /admin/plugin.php?p=coupons&page=list
   * svc.svc_register_page('user', 'mine', (ctx) => String(html`<p>${ctx.t('hello', { name: ctx.user!.username })}</p>`), 'My coupons');
   * ```
   * @since 1.84.0
   */
  svc_register_page(
    scope: Scope,
    page: string,
    file: string | ((ctx: CallContext) => MaybePromise<PageResult>),
    title: string,
    options?: PluginPageOptions,
  ): Undo;
  /**
   * Adds an entry to the sidebar, with at most two levels below it.
   *
   * @example
   * ```ts
   * svc.svc_register_page('admin', 'list', 'admin/list.liquid', 'Coupons');
   * svc.svc_register_menu('admin', { title: 'Coupons', icon: 'mdi-ticket', order: 60, children: [{ title: 'All', page: 'list' }] });
   * ```
   * @since 1.84.0
   */
  svc_register_menu(scope: Scope, menu: MenuRecord): Undo;
  /**
   * Adds a card to the dashboard; its callback must finish within two seconds.
   *
   * @example
   * ```ts
   * svc.svc_register_widget('admin', 'main', async (ctx) => {
   *   const [row] = await svc.db.query<{ used: number }>('SELECT COUNT(*) AS used FROM {coupon} WHERE used_at IS NOT NULL');
   *   return { title: ctx.t('title'), html: String(html`<p>${ctx.t('used', { n: row!.used })}</p>`), width: 4 };
   * });
   * ```
   * @since 1.84.0
   */
  svc_register_widget(scope: Scope, area: string, callback: (ctx: CallContext) => MaybePromise<string | WidgetRecord | null>): Undo;
  /**
   * Adds a tab to the settings page. On the user side, where each settings topic is a page of its own, it becomes a menu entry with a page
   * or URL.
   *
   * @throws Error for invalid fields, and for any fields on the user side: they are options of the plugin, which belong to administrators
   * @example
   * ```ts
   * const prefix: SettingsField = { key: 'prefix', label: 'Prefix of new codes', type: 'text', default: 'SPRING' };
   * svc.svc_register_settings_tab('admin', { id: 'coupons', title: 'Coupons', fields: [prefix] });
   * const chosen = await svc.svc_plugin_option_get(svc.slug, 'prefix', 'SPRING'); // what was saved there
   * ```
   * @since 1.84.0
   */
  svc_register_settings_tab(scope: Scope, tab: SettingsTabRecord): Undo;
  /**
   * Takes precedence for the home page: the callback returns a path or URL to redirect to, a page, or null to pass on.
   *
   * @example
   * ```ts
   * svc.svc_register_home(async (ctx) => {
   *   if (ctx.query.promo) return '/promo'; // a path: visitors are sent there
   *   const text = await svc.svc_plugin_option_get(svc.slug, 'landing', '');
   *   return text === '' ? null : String(html`<!doctype html><title>${svc.site.name()}</title><p>${text}</p>`);
   * }, 50);
   * ```
   * @since 1.84.0
   */
  svc_register_home(callback: (ctx: CallContext) => MaybePromise<PageResult>, priority?: number): Undo;
  /**
   * Registers a route of the plugin's own. `{name}` in the path matches one segment, `*` as method matches any; routes are tried by
   * priority, then in order of registration.
   *
   * @throws Error for an invalid path or method, and for a path below an address of the panel or of another gateway (docs/plugin-api.md)
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/{code}', async ({ code }) => {
   *   const [coupon] = await svc.db.query('SELECT code, price FROM {coupon} WHERE code = ?', [code]);
   *   return coupon ? { coupon } : { status: 404, body: { code: 'There is no such coupon.' } };
   * });
   * svc.svc_register_route('POST', '/p/coupons/hook', () => 'ok', 10, null, { csrfExempt: true, rate: 'callback' });
   * ```
   * @since 1.84.0
   */
  svc_register_route(
    method: string,
    path: string,
    callback: (params: Record<string, string>, ctx: CallContext) => MaybePromise<RouteResult>,
    priority?: number,
    auth?: AuthPolicy,
    options?: RouteOptions,
  ): Undo;
  /**
   * Replaces or wraps a view of the theme.
   *
   * @example
   * ```ts
   * svc.svc_register_page_override('user', 'index', (_vars, ctx) => ({
   *   before: String(html`<p class="alert alert-info">${ctx.t('sale')}</p>`),
   * }));
   * ```
   * @since 1.84.0
   */
  svc_register_page_override(
    scope: Scope,
    view: string,
    callback: (vars: Record<string, unknown>, ctx: CallContext) => MaybePromise<OverrideResult>,
    priority?: number,
  ): Undo;
  /**
   * Replaces or wraps a partial view, such as `head`.
   *
   * @example
   * ```ts
   * svc.svc_register_partial_override('user', 'foot', async () => {
   *   const note = await svc.svc_plugin_option_get(svc.slug, 'note', '');
   *   return note === '' ? null : { before: String(html`<p class="text-center">${note}</p>`) };
   * });
   * ```
   * @since 1.84.0
   */
  svc_register_partial_override(
    scope: Scope,
    view: string,
    callback: (vars: Record<string, unknown>, ctx: CallContext) => MaybePromise<OverrideResult>,
    priority?: number,
  ): Undo;

  /**
   * Returns an option of this plugin, or of one that shares its options (`share_options`); `fallback` if it is not set.
   *
   * @throws Error if the other plugin does not share its options or is not running
   * @example
   * ```ts
   * const limits = await svc.svc_plugin_option_get(svc.slug, 'limits', { perUser: 1 }); // kept as JSON, it comes back as an object
   * svc.log.debug('limits', { perUser: limits.perUser });
   * ```
   * @since 1.84.0
   */
  svc_plugin_option_get<T = unknown>(slug: string, key: string, fallback?: T): Promise<T>;
  /**
   * Stores an option: objects as JSON, other values as text; at most 60 KB. Secret options are encrypted in the database, at most 40 KB.
   *
   * @throws Error if the other plugin does not share its options or is not running, and for an invalid key or value
   * @example
   * ```ts
   * await svc.svc_plugin_option_set(svc.slug, 'limits', { perUser: 1 });
   * await svc.svc_plugin_option_set(svc.slug, 'api_key', 'a-long-key', { secret: true });
   * ```
   * @since 1.84.0
   */
  svc_plugin_option_set(slug: string, key: string, value: unknown, options?: OptionOptions): Promise<boolean>;
  /**
   * Throws the failure response if the current request is not an administrator's.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/list', async (_params, { query }) => {
   *   if (query.hidden === '1') svc.svc_plugin_require_admin(); // nobody else gets past this line
   *   return { rows: await svc.db.query('SELECT code FROM {coupon} WHERE hidden = ?', [query.hidden === '1' ? 1 : 0]) };
   * });
   * ```
   * @since 1.84.0
   */
  svc_plugin_require_admin(): void;
  /**
   * Throws the failure response if the current request is not a user's.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/coupons/take', async (_params, ctx) => {
   *   svc.svc_plugin_require_user();
   *   await svc.db.run('UPDATE {coupon} SET host_id = ? WHERE code = ? AND host_id IS NULL', [ctx.user!.id, ctx.body.code]);
   *   return { code: 'ok' };
   * });
   * ```
   * @since 1.84.0
   */
  svc_plugin_require_user(): void;
  /**
   * Returns whether the policy admits the sender of the current request.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/price', async () => {
   *   const isUser = await svc.svc_plugin_auth_check('user');
   *   return { price: isUser ? 890 : 990 };
   * });
   * ```
   * @since 1.84.0
   */
  svc_plugin_auth_check(auth: AuthPolicy): Promise<boolean>;
  /**
   * Sends the failure response of `auth` and ends the request (it throws; do not catch it).
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/mine', async (_params, ctx) => {
   *   if (!(await svc.svc_plugin_auth_check('user'))) svc.svc_plugin_auth_fail('user');
   *   return { codes: await svc.db.query('SELECT code FROM {coupon} WHERE host_id = ?', [ctx.user!.id]) };
   * });
   * ```
   * @since 1.84.0
   */
  svc_plugin_auth_fail(auth: AuthPolicy): never;
  /**
   * Returns the version of the values a form shows of an existing record, for the form's hidden field `row_version`: a hash of each field.
   * An operation whose form stays open returns the next version in `row_version`, and the form adopts it.
   *
   * @throws TypeError for an invalid field
   * @example
   * ```ts
   * const input = html`<input type="hidden" name="row_version" value="${svc.svc_row_version({ name: 'Alice', seats: 3 })}">`;
   * ```
   * @since 1.84.0
   */
  svc_row_version(values: FormValues): string;
  /**
   * Rejects a form that was filled in from values which have changed since, so that of two tabs the second gets an error instead of
   * silently overwriting the first. Call it where no one else can change the row any more: in the transaction that writes it, after a first
   * write to it. It throws a {@link RefusedForm}; if you do not catch it, the response is that of the panel's forms, `err` `E_CONFLICT`
   * with `fields` and the current `row_version`.
   *
   * @param version the submitted version, `ctx.body.row_version`; undefined and empty skip the comparison
   * @param present current values of the form's fields; fields that the version does not contain are ignored
   * @throws RefusedForm if a value has changed or the version is invalid; TypeError for an invalid field
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
  /**
   * Sends a GET request to an outside service; never throws because of the response status. Addresses inside the network are refused.
   *
   * @throws Error with `code` `PERMISSION_MISSING` if `permissions` of plugin.json contains neither `network` nor this host
   * @example
   * ```ts
   * const answer = await svc.svc_http_get('https://api.example.com/rate', { Accept: 'application/json' });
   * if (answer.ok) svc.log.debug('rate', { rate: (JSON.parse(answer.body) as { rate: number }).rate });
   * else svc.log.warn('no rate', { status: answer.code, error: answer.error });
   * ```
   * @since 1.84.0
   */
  svc_http_get(url: string, headers?: Record<string, string> | string[]): Promise<HttpResponse>;
  /**
   * Sends a POST request to an outside service: an object as JSON, a text as a form; see {@link SvcFacade.svc_http_get}.
   *
   * @example
   * ```ts
   * const json = await svc.svc_http_post('https://api.example.com/notify', { id: 7 }, ['X-Key: abc']);
   * const form = await svc.svc_http_post('https://api.example.com/notify', new URLSearchParams({ id: '7' }).toString());
   * if (!json.ok || !form.ok) svc.log.warn('not told', { error: json.error || form.error });
   * ```
   * @since 1.84.0
   */
  svc_http_post(
    url: string,
    data: string | Buffer | Record<string, unknown>,
    headers?: Record<string, string> | string[],
  ): Promise<HttpResponse>;

  /**
   * Registers the plugin as a payment gateway; `slug` is its own.
   *
   * @throws Error for invalid methods
   * @example
   * ```ts
   * svc.svc_register_payment(svc.slug, {
   *   name: 'My gateway',
   *   methods: { card: 'Card' }, // payment type: mygate__card
   *   ready: async () => (await svc.svc_plugin_option_get(svc.slug, 'merchant', '')) !== '',
   *   build: ({ out_trade_no, amount }) => ({ redirect: `https://pay.example.com/?no=${out_trade_no}&fen=${amount}` }),
   * });
   * ```
   * @since 1.84.0
   */
  svc_register_payment(slug: string, info: PaymentRecord): Undo;
  /**
   * Registers a kind of notice channel, offered on **Notices → Channels** of both sides while the plugin is enabled; `kind` is the plugin's
   * own name for it, 1 to 32 of `a-z 0-9 _ -`.
   *
   * @throws Error for a kind the plugin has already registered, and for an invalid record
   * @example
   * ```ts
   * svc.svc_register_notice_channel('pager', {
   *   title: 'Pager',
   *   fields: [{ key: 'server', label: 'Server', type: 'text', required: true, placeholder: 'https://pager.example.com' }],
   *   send: async ({ id, title, text }, { server }) => {
   *     const answer = await svc.svc_http_post(`${server}/send`, { id, text: `${title}\n${text}` });
   *     if (!answer.ok) throw new Error(answer.error); // it is tried again later
   *   },
   * });
   * ```
   * @since 1.84.0
   */
  svc_register_notice_channel(kind: string, channel: NoticeChannelRecord): Undo;
  /**
   * Registers a kind of server, offered on **Servers → add** while the plugin is enabled; `kind` is the plugin's own name for it, 1 to 32
   * of `a-z 0-9 _ -`. The driver receives the keys of its servers: `permissions` of plugin.json must contain `host_driver`.
   *
   * @throws Error without that permission, for a kind that is already registered (naming the plugin that did), and for an invalid record
   * @example
   * ```ts
   * // What else the record has, a function for each thing that is done with a site, is in the example of HostDriverRecord.
   * const registerBox = (functions: Omit<HostDriverRecord, 'title' | 'fields'>): Undo =>
   *   svc.svc_register_host_driver('box', {
   *     ...functions,
   *     title: 'box', // a text, or a key of the plugin's `lang` files
   *     fields: [{ key: 'token', label: 'Token', type: 'password', required: true }],
   *   });
   * ```
   * @since 1.84.0
   */
  svc_register_host_driver(kind: string, driver: HostDriverRecord): Undo;
  /**
   * Registers a kind of DNS provider, offered on **DNS providers** while the plugin is enabled; `kind` is the plugin's own name for it, 1
   * to 32 of `a-z 0-9 _ -`. The driver receives the credentials of its accounts: `permissions` of plugin.json must contain `dns`.
   *
   * @throws Error without that permission, for a kind the plugin has already registered, and for an invalid record
   * @example
   * ```ts
   * const ask = async ({ token }: Readonly<Record<string, string>>, path: string, said: object) => {
   *   const answer = await svc.svc_http_post(`https://dns.example.com${path}`, { ...said }, { Authorization: `Bearer ${token}` });
   *   if (!answer.ok) throw new Error(answer.error); // shown to administrators, and tried again later
   *   return JSON.parse(answer.body);
   * };
   * svc.svc_register_dns_driver('zonehost', {
   *   title: 'Zone host',
   *   fields: [{ key: 'token', label: 'Token', type: 'password', required: true }],
   *   zones: (settings, name) => ask(settings, '/zones', { name }),
   *   records: (settings, zone, name) => ask(settings, `/zones/${zone.id}/find`, { name }),
   *   put: (settings, zone, record) => ask(settings, `/zones/${zone.id}/put`, record),
   *   remove: (settings, zone, { id }) => ask(settings, `/zones/${zone.id}/remove`, { id }),
   * });
   * ```
   * @since 1.84.0
   */
  svc_register_dns_driver(kind: string, driver: DnsDriverRecord): Undo;
  /**
   * Returns every active gateway, by slug, with its methods.
   *
   * @example
   * ```ts
   * for (const [slug, { name, methods }] of Object.entries(svc.svc_get_payment_plugins()))
   *   svc.log.debug(name, { slug, methods: Object.keys(methods) });
   * ```
   * @since 1.84.0
   */
  svc_get_payment_plugins(): Record<string, { name: string; methods: Record<string, string> }>;
  /**
   * Returns the payment methods that buyers can choose now, in display order; methods whose gateway is disabled are omitted.
   *
   * @param locale language for the names, such as `ctx.locale`; if omitted, the names are as gateways registered them
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/methods', async (_params, ctx) => {
   *   const methods = await svc.svc_get_enabled_payment_methods(ctx.locale);
   *   return { methods: methods.map(({ plugin, method, display_name: name }) => ({ type: svc.svc_pay_type(plugin, method), name })) };
   * });
   * ```
   * @since 1.84.0
   */
  svc_get_enabled_payment_methods(locale?: string): Promise<PaymentMethodRecord[]>;
  /**
   * Saves which methods buyers can choose, and returns them as saved.
   *
   * @example
   * ```ts
   * // Needs the permission `settings`. Methods of running gateways that are left out are not offered any more.
   * const kept = await svc.svc_save_payment_methods([
   *   { plugin: 'alipay', method: 'pc', display_name: 'Alipay', sort: 10 },
   *   { plugin: 'stripe', method: 'checkout', sort: 20, min: 400 },
   * ]);
   * svc.log.info('offered', { methods: kept.length });
   * ```
   * @since 1.84.0
   */
  svc_save_payment_methods(methods: Partial<PaymentMethodRecord>[]): Promise<PaymentMethodRecord[]>;
  /**
   * Returns the payment type of a method, `{slug}__{method}`.
   *
   * @example
   * ```ts
   * const type = svc.svc_pay_type('alipay', 'pc'); // "alipay__pc"
   * await svc.orders.create({ user: 'alice01', scene: 'coupon', name: 'Coupon', amount: 990, type });
   * ```
   * @since 1.84.0
   */
  svc_pay_type(slug: string, method: string): string;
  /**
   * Returns gateway and method of a payment type; false if it is not one.
   *
   * @example
   * ```ts
   * svc.svc_add_action('order.paid', ({ ddh, type }) => {
   *   const way = svc.svc_pay_parse_type(type);
   *   if (way) svc.log.info('paid', { order: ddh, gateway: way.slug, method: way.method });
   * }, 10, { id: 'ways' });
   * ```
   * @since 1.84.0
   */
  svc_pay_parse_type(type: string): { slug: string; method: string } | false;
  /**
   * Sends an order to a gateway and returns what its `build` returns.
   *
   * @example
   * ```ts
   * const order = await svc.orders.create({ user: 'alice01', scene: 'coupon', name: 'Coupon', amount: 990 });
   * const step = await svc.svc_pay_dispatch_gateway(order, svc.svc_pay_type('alipay', 'qrcode'));
   * if (step === false) svc.log.warn('it cannot be paid so', { order: order.ddh });
   * else if (typeof step === 'object' && 'qrcode' in step) svc.log.debug('to scan', { code: step.qrcode });
   * ```
   * @since 1.84.0
   */
  svc_pay_dispatch_gateway(order: OrderRecord | string | number, type: string): Promise<BuildResult>;
  /**
   * Settles an order that its gateway reports as paid, once; refuses another amount, currency or gateway. Call it only after verifying the
   * signature.
   *
   * @example
   * ```ts
   * // What `notify` answers, once it knows that the signature is right.
   * const settled = async (fields: Readonly<Record<string, string>>): Promise<string> => {
   *   const paid = { trade_no: fields.id ?? '', amount: Number(fields.fen), currency: 'CNY', raw: fields };
   *   const { ok, msg } = await svc.svc_pay_settle_order(fields.no ?? '', svc.slug, paid);
   *   if (!ok) svc.log.warn('not settled', { order: fields.no, msg });
   *   return ok ? 'success' : 'fail';
   * };
   * ```
   * @since 1.84.0
   */
  svc_pay_settle_order(order: OrderRecord | string, gatewaySlug: string, extra?: SettlementExtra): Promise<SettlementResult>;
  /**
   * Writes a line to the payment log: a text of the plugin's `lang` files, which each reader sees in their own language, or a plain string.
   *
   * @example
   * ```ts
   * await svc.svc_pay_log({ key: 'log_signature', params: { number: '20270131-1' } }, 'warning');
   * ```
   * @since 1.84.0
   */
  svc_pay_log(content: string | LogText, level?: string): Promise<void>;
}
