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
   * @since 1.84.0
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
   * Address of a file in `assets/` of the plugin's folder, for pages. It changes with the content of the file, so browsers keep what they
   * have for a year and never ask; at `/app_plugins/{slug}/{path}` they ask each time.
   *
   * @param path below `assets/`, such as `shop.css`
   * @throws Error where there is no such file
   * @example
   * ```ts
   * const head = `<link rel="stylesheet" href="${svc.asset('shop.css')}">`; // /app_plugins/shop/shop.css?v=0f3a…
   * ```
   * @since 1.84.0
   */
  asset(path: string): string;
  /**
   * Absolute folder for files of the plugin's own, outside its package: an upgrade leaves it, and to uninstall the plugin with its data
   * removes it. Made by the first call, shared by all processes of one machine, and part of backups of the panel.
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
   * A request to an outside service, with everything said. Never rejects for its answer, and keeps to the rules of
   * {@link SvcFacade.svc_http_get}: addresses that are not public are refused.
   *
   * @throws Error with the `code` `PERMISSION_MISSING` where `permissions` of plugin.json names neither `network` nor this host
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
   * Runs `callback` when the plugin stops (disabled, upgraded, a start that failed, end of the panel), once the calls under way
   * have ended; the last one given runs first. Ten seconds for all of them together, the life-cycle hooks of Nest modules included.
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
   * As Node's, and cleared when the plugin stops; so are the global ones, which a plugin may use as well.
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
   * As Node's, and cleared when the plugin stops.
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
   * As Node's, and cleared when the plugin stops.
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
   * The delivery this listener is in; null outside a durable listener.
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
   * Tells the plugin list more of the plugin than `plugin.json` does (name, version, author, description, icon, homepage). False for
   * another slug than its own.
   *
   * @example
   * ```ts
   * svc.svc_plugin_register(svc.slug, { name: 'Coupons', icon: 'mdi-ticket', homepage: 'https://coupons.example.com' });
   * ```
   * @since 1.84.0
   */
  svc_plugin_register(slug: string, info: Record<string, unknown>): boolean;
  /**
   * Calls `callback` whenever the hook is fired; in ascending priority (10 where nothing is given), then in the order of adding.
   *
   * @throws Error for a name that the panel does not fire and that looks like one of its own
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
   * Fires a hook of the plugin's own and waits for its listeners; one that throws stops nobody.
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
   * Hands the value of a hook through `callback`, which returns the next one; undefined keeps it.
   *
   * @throws Error for a durable hook, which has no value, and for a name as {@link SvcFacade.svc_add_action} refuses it
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
   * The value after all filters of the hook.
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
   * An operation under `/admin/ajax.php` or `/user/ajax.php`; `gn` starts with `p_`.
   *
   * @param callback gets the values of the fields that `options` declares as its second argument; without such fields it gets none
   * @throws Error for a name that is taken, and for fields that cannot work
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
   * A page at `/{scope}/plugin.php?p={slug}&page={page}`, from a file of the plugin's folder or a function; whoever is not signed in on
   * that side does not see it. A function returns HTML, and null where there is nothing at this address: the panel answers 404 inside the
   * frame of its side. Anything else is an empty page.
   *
   * @throws Error for a page that is there already, or a file that is not
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
   * An entry of the side bar, with at most two levels below it.
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
   * A card of the dashboard; it has two seconds to be made.
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
   * A tab of the settings page. On the user side, whose settings are pages of their own, it is an entry of the menu, with a page or URL.
   *
   * @throws Error for fields that cannot work, and for any on the user side: they are options of the plugin, an administrator's
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
   * Is asked for the home page first: a path or URL to go to, a page, or null to pass on.
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
   * A route of its own. `{name}` in the path is one segment, `*` as method is any; routes are asked by priority, then by registration.
   *
   * @throws Error for a path or method there cannot be, and below an address of the panel or of another gateway (docs/plugin-api.md)
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
   * Replaces or surrounds a view of the theme.
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
   * Replaces or surrounds a part of views, such as `head`.
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
   * An option of this plugin, or of one that shares its own (`share_options`); `fallback` where there is none.
   *
   * @throws Error where the other plugin does not share its options, or does not run
   * @example
   * ```ts
   * const limits = await svc.svc_plugin_option_get(svc.slug, 'limits', { perUser: 1 }); // kept as JSON, it comes back as an object
   * svc.log.debug('limits', { perUser: limits.perUser });
   * ```
   * @since 1.84.0
   */
  svc_plugin_option_get<T = unknown>(slug: string, key: string, fallback?: T): Promise<T>;
  /**
   * Keeps an option: objects as JSON, the rest as text; at most 60 KB. One that is a secret is encrypted in the database, at most 40 KB.
   *
   * @throws Error where the other plugin does not share its options, or does not run, and for a value or key that cannot be kept
   * @example
   * ```ts
   * await svc.svc_plugin_option_set(svc.slug, 'limits', { perUser: 1 });
   * await svc.svc_plugin_option_set(svc.slug, 'api_key', 'a-long-key', { secret: true });
   * ```
   * @since 1.84.0
   */
  svc_plugin_option_set(slug: string, key: string, value: unknown, options?: OptionOptions): Promise<boolean>;
  /**
   * Throws the failure answer when the current request is not an administrator's.
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
   * Throws the failure answer when the current request is not a user's.
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
   * Whether the present request is of somebody the policy lets in.
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
   * Sends the failure answer of `auth` and ends the request (it throws; do not catch it).
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
  /**
   * Asks an outside service; never throws for its answer. Addresses inside the network are refused.
   *
   * @throws Error with the `code` `PERMISSION_MISSING` where `permissions` of plugin.json names neither `network` nor this host
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
   * Sends to an outside service: an object as JSON, a text as a form; see {@link SvcFacade.svc_http_get}.
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
   * Makes the plugin a gateway; `slug` is its own.
   *
   * @throws Error for methods that are none
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
   * A kind of notice channel, offered on **Notices → Channels** of both sides while the plugin is on; `kind` is the plugin's own name
   * of it, 1 to 32 of `a-z 0-9 _ -`.
   *
   * @throws Error for a kind the plugin has registered already, and a record that cannot work
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
   * A kind of server, offered on **Servers → add** while the plugin is on; `kind` is the plugin's own name of it, 1 to 32 of `a-z 0-9 _ -`.
   * The driver is given the keys of its servers: `permissions` of plugin.json has to name `host_driver`.
   *
   * @throws Error without that permission, for a kind that is registered already, naming whose it is, and for a record that cannot work
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
   * A kind of DNS provider, offered on **DNS providers** while the plugin is on; `kind` is the plugin's own name of it, 1 to 32 of
   * `a-z 0-9 _ -`. It is given the credentials of its accounts: `permissions` of plugin.json has to name `dns`.
   *
   * @throws Error without that permission, for a kind the plugin has registered already, and for a record that cannot work
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
   * Every gateway that runs, by slug, with its methods.
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
   * What buyers can choose now, in their order; methods whose gateway is off are left out.
   *
   * @param locale language of who reads the names, `ctx.locale`; without it they are as gateways registered them
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
   * Keeps which methods buyers can choose, and answers them as they are kept.
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
   * The payment type of a method, `{slug}__{method}`.
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
   * Gateway and method of a payment type; false for what is none.
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
   * Sends an order to a gateway: what its `build` answers.
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
   * Settles an order that its gateway says is paid, once; refuses another amount, currency or gateway. Only after the signature was
   * checked.
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
   * A line of the payment log: a text of the plugin's `lang` files, which each reader has in his own language, or words as they are.
   *
   * @example
   * ```ts
   * await svc.svc_pay_log({ key: 'log_signature', params: { number: '20270131-1' } }, 'warning');
   * ```
   * @since 1.84.0
   */
  svc_pay_log(content: string | LogText, level?: string): Promise<void>;
}
