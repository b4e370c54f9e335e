import type { AjaxResult, AuthPolicy, CallContext, OverrideResult, PageResult, PluginRateClass, RouteResult, Scope } from './context.js';
import type { CustomerAccountsService, CustomersService } from './customers.js';
import type { CreditService } from './credit.js';
import type { DnsDriverRecord } from './dns.js';
import type { NamesService } from './names.js';
import type { EventInfo, HookArguments, HookListener } from './hooks.js';
import type { HostDriverRecord } from './host-driver/index.js';
import type { PluginPageOptions } from './lists.js';
import type {
  BuildResult,
  CreateOrderRequest,
  HostQuota,
  HostRecord,
  MenuRecord,
  NoticeChannelRecord,
  OrderOwner,
  OrderPrice,
  OrderRecord,
  OrderSummary,
  PaidOrdersQuery,
  PaymentMethodRecord,
  PaymentRecord,
  PriceRequest,
  ProvisionRequest,
  SettingsTabRecord,
  SettlementExtra,
  SettlementResult,
  WidgetRecord,
} from './records.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * Takes back what the call that returned it had registered; calling it twice does nothing more.
 *
 * @example
 * ```ts
 * const undo: Undo = svc.svc_register_menu('admin', { title: 'Coupons', url: '/coupons' });
 * undo(); // the entry is gone; the plugin's end would have taken it back too
 * ```
 * @since 1.84.0
 */
export type Undo = () => void;

/**
 * Options of a listener.
 *
 * @example
 * ```ts
 * const options: ListenerOptions = { id: 'provision', deadlineSeconds: 300 };
 * svc.svc_add_action('order.paid', (order) => svc.log.info('paid', { order: order.ddh }), 10, options);
 * ```
 * @since 1.84.0
 */
export interface ListenerOptions {
  /**
   * Stable name of a durable listener, `[a-z0-9_.-]{1,64}`; its ordinal among the plugin's listeners of that hook where nothing is
   * given.
   */
  id?: string;
  /**
   * Seconds a listener of a durable hook, or of `cron`, may take: 60 to 3,600; 60 where nothing is given. An attempt that takes
   * longer counts as failed. Other hooks do not wait longer for anybody.
   */
  deadlineSeconds?: number;
}

/**
 * Options of a generic route.
 *
 * @example
 * ```ts
 * const options: RouteOptions = { csrfExempt: true, rate: 'callback', audit: false };
 * svc.svc_register_route('POST', '/coupons/hook', () => 'ok', 10, null, options);
 * ```
 * @since 1.84.0
 */
export interface RouteOptions {
  /** Let other sites send state-changing requests here (callbacks of outside services). Off where nothing is given. */
  csrfExempt?: boolean;
  /** `public` where nothing is given. */
  rate?: PluginRateClass;
  /**
   * What it does, for the operation log, such as `Saved a plan`; `false` where it changes nothing or that is written elsewhere.
   * Where nothing is given, every request but GET and HEAD of somebody signed in leaves a line with plugin, method and path.
   */
  audit?: string | false;
}

/**
 * How an option of a plugin is kept.
 *
 * @example
 * ```ts
 * const options: OptionOptions = { secret: true };
 * await svc.svc_plugin_option_set('coupons', 'api_key', 'a-long-key', options);
 * ```
 * @since 1.84.0
 */
export interface OptionOptions {
  /** Encrypted in the database, such as a key of somebody's API; `svc_plugin_option_get` reads it like any other. */
  secret?: boolean;
}

/**
 * Options of an AJAX operation.
 *
 * @example
 * ```ts
 * const options: AjaxOptions = { audit: 'Saved a coupon', rate: 'write' };
 * svc.svc_register_ajax('admin', 'p_coupons_save', () => ({ code: 'ok' }), 'admin', options);
 * ```
 * @since 1.84.0
 */
export interface AjaxOptions {
  /** What it does, for the operation log, such as `Saved a plan`; without it no line is written. Name one where it changes something. */
  audit?: string;
  /** Where nothing is given, `write` for an operation that needs an administrator or user, `public` for any other. */
  rate?: PluginRateClass;
  /**
   * Who has a second factor must have shown a code in his session within the last ten minutes: for what a session left open must not be
   * enough for, such as money that leaves or something that is deleted. Needs an operation that says `admin` or `user`, its own side.
   */
  secondProof?: boolean;
  /**
   * An operation of the panel's admin side, such as `ddbz`, that the administrator's role has to allow as well: for what does the same as that one. Needs an
   * operation of the admin side that says `admin`.
   */
  needs?: string;
}

/**
 * Answer of the outbound helpers.
 *
 * @example
 * ```ts
 * const answer: HttpResponse = await svc.svc_http_get('https://api.example.com/rate', { Accept: 'application/json' });
 * if (!answer.ok) svc.log.warn('no rate', { status: answer.code, error: answer.error });
 * ```
 * @since 1.84.0
 */
export interface HttpResponse {
  /** True for 2xx. */
  ok: boolean;
  /** HTTP status; 0 where no answer came. */
  code: number;
  body: string;
  /** Empty where all went well. */
  error: string;
  headers: Record<string, string>;
}

/**
 * Hosting accounts. Every change fires its hook. The class is also the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * const account = { node: 'local', user: 'alice01', password: 'a long password', expiresOn: '2027-01-31' };
 * const host = await svc.hosts.provision({ ...account, webMb: 1_024 });
 * await svc.hosts.pause(host.id, 'abuse');
 * await svc.hosts.unpause(host.id, 'abuse');
 * ```
 * @since 1.84.0
 */
export abstract class HostsService {
  /** @throws Error with `code` such as `ACCOUNT_EXISTS`, `NODE_NOT_FOUND`, `INVALID_INPUT`. */
  abstract provision(request: ProvisionRequest): Promise<HostRecord>;
  /** Reasons stack; a second pause for the same reason does nothing. */
  abstract pause(id: number, reason?: string): Promise<HostRecord>;
  /** Lifts only the given reason (`plugin` where nothing is given). */
  abstract unpause(id: number, reason?: string): Promise<HostRecord>;
  /** `expiresOn` is `YYYY-MM-DD`, null for never. */
  abstract renew(id: number, expiresOn: string | null): Promise<HostRecord>;
  /** Deletes the account with its site and data; nothing brings it back. @throws Error with `code`, such as `ACCOUNT_NOT_FOUND` */
  abstract terminate(id: number): Promise<void>;
  /** The account by its id or its login; null where there is none. */
  abstract get(idOrUser: number | string): Promise<HostRecord | null>;
  /** Nodes accounts can be opened on; limits in `unenforced` are kept there and have no effect. */
  abstract nodes(): Promise<{ code: string; name: string; unenforced: readonly ('databaseMb' | 'trafficGb' | 'domains' | 'backups')[] }[]>;
  /**
   * Writes down what was paid for the time of a host that was opened by an order, from today to its last day: that much counts when it changes to another package. The
   * same order again changes nothing, nor does one that is not paid.
   */
  abstract paid(id: number, payment: HostPaid): Promise<void>;
  /** Changes the limits that are named; the others stay. @throws Error with `code`, such as `ACCOUNT_NOT_FOUND` */
  abstract setQuota(id: number, quota: HostQuota): Promise<HostRecord>;
  /** Domains that are bound to a host, in the order they were; `folder` is empty for all of its site. */
  abstract domains(id: number): Promise<{ name: string; folder: string; boundAt: string }[]>;
  /**
   * Binds a domain to a host, with every check its owner's own binding has, or sets the folder of one that is bound. The server is asked: not in a transaction.
   *
   * @throws Error with `code`, such as `TAKEN`, `LIMIT`, `PROOF`, and a message in the language of the request
   */
  abstract bindDomain(id: number, domain: string, folder?: string): Promise<void>;
  /** Removes a domain from a host. @throws Error with `code`, such as `NOT_BOUND` */
  abstract unbindDomain(id: number, domain: string): Promise<void>;
}

/**
 * What `svc.hosts.paid` takes.
 *
 * @example
 * ```ts
 * const payment: HostPaid = { order: '20270131-1', amount: 9_900, months: 12 };
 * await svc.hosts.paid(7, payment);
 * ```
 * @since 1.84.0
 */
export interface HostPaid {
  /** Number of the order. */
  order: string;
  /** What of it is for the time of the host, in minor units (fen): without what is paid once, such as a set-up fee. */
  amount: number;
  /** How long it was bought for, 1 to 120. */
  months: number;
}

/**
 * Orders of `SVC_dd`. The class is also the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * const order = await svc.orders.create({ user: 'alice01', scene: 'coupon', name: 'Coupon', amount: 990 });
 * svc.log.info('pay here', { url: order.pay_url });
 * ```
 * @since 1.84.0
 */
export abstract class OrdersService {
  /**
   * Makes an unpaid order; one that its coupon pays in full comes back paid. In an open transaction of the plugin as part of it.
   *
   * @throws Error with `code` `TOO_MANY_UNPAID` while a visitor is served who left too many unpaid, `COUPON_…` for a coupon that does not count: {@link price}
   *   says the same before, in words
   */
  abstract create(request: CreateOrderRequest): Promise<OrderSummary>;
  /** What an order would cost with a coupon, computed as {@link create} does; it orders nothing and takes no use of the coupon. */
  abstract price(request: PriceRequest): Promise<OrderPrice>;
  /** The order by its id or its number; null where there is none. */
  abstract get(idOrNumber: number | string): Promise<OrderSummary | null>;
  /** Paid orders of a scene in the order they were paid, a page at a time: to compare what was paid with what was delivered. */
  abstract paid(query: PaidOrdersQuery): Promise<OrderSummary[]>;
  /**
   * Gives an order that is nobody's to the account or customer it was for, such as the account that was opened with it. False where it is
   * somebody's already, or there is no such order.
   */
  abstract assign(idOrNumber: number | string, owner: OrderOwner): Promise<boolean>;
  /**
   * Closes an unpaid order, such as one its buyer has replaced; `order.closed` follows. False where it is not unpaid, or there is no such order. A payment that
   * comes late still settles it.
   */
  abstract close(idOrNumber: number | string): Promise<boolean>;
  /**
   * Keeps an unpaid order from being closed by itself until then, 60 days at most, such as one whose payment somebody has yet to look at. The last call counts. False where it
   * is not unpaid, or there is no such order.
   */
  abstract hold(idOrNumber: number | string, until: Date): Promise<boolean>;
}

/**
 * Something a plugin tells people. `title` and `text` are keys of its `lang` files, with `params` in their places, told in the language of each who gets it.
 *
 * @example
 * ```ts
 * const notice: NoticeRequest = { to: 'administrators', key: 'coupon:12:used', title: 'used', text: 'used_text', params: { code: 'A1' }, link: '/admin/orders' };
 * await svc.notices.tell(notice);
 * ```
 * @since 1.84.0
 */
export interface NoticeRequest {
  /** Who is told: everybody who runs the panel, the owner of a hosting account, or a customer. */
  to: 'administrators' | { readonly account: number } | { readonly customer: number };
  /** What it tells of, at most 80 characters: the same receiver is told once of the same key. One per event, such as `coupon:12:used`. */
  key: string;
  title: string;
  text: string;
  params?: Readonly<Record<string, string | number>>;
  /** `info` where nothing is given, which goes to the bell and the channels; the others go out by mail, too. */
  level?: 'info' | 'success' | 'warning' | 'danger';
  /** What it is about, by which people choose what they are told of; `system` where nothing is given. */
  kind?: 'payment' | 'system';
  /** A path of the panel where more is to be seen. */
  link?: string;
}

/**
 * Notices of the panel: the bell, and by mail and channels what people want so.
 *
 * @example
 * ```ts
 * await svc.notices.tell({ to: { account: 7 }, key: 'coupon:12:gone', title: 'gone', text: 'gone_text', level: 'warning' });
 * ```
 * @since 1.84.0
 */
export abstract class NoticesService {
  /**
   * Tells each receiver once of a key, however often it is called. In `svc.db.transaction` it is part of it: what did not happen is not told.
   *
   * @returns how many people are told by this very call; 0 where all were told before, and where there is no such account or customer
   * @throws Error for a request that cannot work, such as a link that leads away from the panel
   */
  abstract tell(notice: NoticeRequest): Promise<number>;
}

/**
 * What visitors know of this installation.
 *
 * @example
 * ```ts
 * const { site } = svc;
 * svc.svc_register_route('GET', '/about', () => html`<h1>${site.name()}</h1><a href="${site.url()}/">Home</a>`);
 * ```
 * @since 1.84.0
 */
export interface SiteInfo {
  /** The name of the panel as it stands now in its settings, as plain text. */
  name(): string;
  /** The address people reach the panel at, without a slash at its end, such as `https://panel.example.com`. */
  url(): string;
}

/**
 * What a statement of {@link PluginDatabase} gives back.
 *
 * @example
 * ```ts
 * const { affected }: WriteResult = await svc.db.run('UPDATE {coupon} SET price = ? WHERE code = ?', [880, 'A1']);
 * if (affected === 0) svc.log.warn('there is no such coupon');
 * ```
 * @since 1.84.0
 */
export interface WriteResult {
  affected: number;
  insertId: number;
}

/**
 * A column of a plugin's table.
 *
 * @example
 * ```ts
 * const price: PluginColumn = { name: 'price', type: 'money', default: 0 };
 * await svc.db.migrate([{ id: '002', up: (schema) => schema.addColumn('coupon', price) }]);
 * ```
 * @since 1.84.0
 */
export interface PluginColumn {
  name: string;
  type: 'integer' | 'bigint' | 'string' | 'text' | 'boolean' | 'datetime' | 'money';
  /** Characters, for `string`: 1 to 255. */
  length?: number;
  nullable?: boolean;
  default?: string | number | boolean | null;
}

/**
 * An index over columns of a table, in their order.
 *
 * @example
 * ```ts
 * const byCode: PluginIndex = { columns: ['code'], unique: true };
 * await svc.db.migrate([{ id: '003', up: (schema) => schema.addIndex('coupon', byCode) }]);
 * ```
 * @since 1.84.0
 */
export interface PluginIndex {
  columns: string[];
  unique?: boolean;
}

/**
 * A table of the plugin; its full name is `SVC_plg_<slug>_<name>` and it gets an `id` of its own.
 *
 * @example
 * ```ts
 * const coupon: PluginTable = {
 *   name: 'coupon',
 *   columns: [{ name: 'code', type: 'string', length: 32 }, { name: 'price', type: 'money' }],
 *   indexes: [{ columns: ['code'], unique: true }],
 * };
 * await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(coupon) }]);
 * ```
 * @since 1.84.0
 */
export interface PluginTable {
  name: string;
  columns: PluginColumn[];
  indexes?: PluginIndex[];
}

/**
 * What a change that {@link PluginDatabase.noteChange} notes is of.
 *
 * @example
 * ```ts
 * const coupon: ChangeSubject = { of: 'coupon', id: 12, secret: ['code'] };
 * svc.db.noteChange(coupon, { code: 'A1', price: '9.90' }, { code: 'B2', price: '8.80' });
 * ```
 * @since 1.84.0
 */
export interface ChangeSubject {
  /** Kind of thing, `[a-z][a-z0-9_]{0,31}`: the plugin's texts `subject.<of>` (with the place `{id}`) and `changed.<field>` are its words and those of its fields. */
  of: string;
  /** Which one of them, at most 60 characters; nothing where there is only one. */
  id?: string | number;
  /** Fields whose values the log is never told, besides those called like a password, secret, token, hash or key. */
  secret?: readonly string[];
}

/**
 * The plugin's own tables. SQL names them `{name}`, which becomes the full, quoted name; parameters are `?`. The class is also the
 * injection token.
 *
 * @example
 * ```ts
 * await svc.db.transaction(async () => {
 *   await svc.db.run('INSERT INTO {coupon} (code, price) VALUES (?, ?)', ['A1', 990]);
 *   await svc.db.run('UPDATE {coupon} SET price = price - 100 WHERE code = ?', ['B2']);
 * });
 * const cheap = await svc.db.query<{ code: string }>('SELECT code FROM {coupon} WHERE price < ?', [1_000]);
 * ```
 * @since 1.84.0
 */
export abstract class PluginDatabase {
  /**
   * Runs each step once, in the order of its id. A step that throws, or in which the process ends, leaves nothing of itself behind:
   * it is undone, at the latest before it runs again.
   *
   * @throws Error naming the step, when it writes rows and changes tables afterwards, or changes tables by SQL and has no `down`
   */
  abstract migrate(steps: MigrationStep[]): Promise<void>;
  /** Rows of a `SELECT`; inside a transaction it sees what that has written. */
  abstract query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
  /** Runs one statement that changes rows. */
  abstract run(sql: string, params?: unknown[]): Promise<WriteResult>;
  /** Everything inside commits or nothing does; keep network calls out of it. */
  abstract transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Notes what became of a thing, for the line that the operation or route under way leaves in the operation log: it tells which fields are other, from what
   * to what. Where no line is written, and where the open transaction is undone, it does nothing. Say what you read in the transaction that writes.
   *
   * Values are texts, numbers, switches and dates; others are told as JSON. The log keeps 200 characters of a text, 8 KB and 20 things of one line, and of a
   * secret nothing but that it was changed.
   *
   * @param before what it was, by the names of its fields; null where it is new
   * @param after what it is, or only the fields that were written; null where it is gone
   * @throws Error for a subject that cannot be one; never for a value
   * @example
   * ```ts
   * await svc.db.transaction(async () => {
   *   const [before] = await svc.db.query('SELECT price FROM {coupon} WHERE code = ?', ['A1']);
   *   await svc.db.run('UPDATE {coupon} SET price = ? WHERE code = ?', [880, 'A1']);
   *   svc.db.noteChange({ of: 'coupon', id: 'A1' }, before ?? null, { price: 880 });
   * });
   * ```
   */
  abstract noteChange(subject: ChangeSubject, before: object | null, after: object | null): void;
}

/**
 * One step of the way from no tables to those of this version.
 *
 * @example
 * ```ts
 * const rename: MigrationStep = {
 *   id: '004',
 *   up: async () => void (await svc.db.run('ALTER TABLE {coupon} RENAME COLUMN price TO fen')),
 *   down: async () => void (await svc.db.run('ALTER TABLE {coupon} RENAME COLUMN fen TO price').catch(() => undefined)),
 * };
 * await svc.db.migrate([rename]);
 * ```
 * @since 1.84.0
 */
export interface MigrationStep {
  /** 1 to 120 letters, digits, `_ . -`; the order of the steps. */
  id: string;
  /** Changes tables first and writes rows afterwards: MySQL commits at each change of a table. */
  up: (schema: PluginSchema) => Promise<void>;
  /**
   * Undoes what `up` changed by SQL of its own, such as a column's name; tables, columns and indexes made by the schema, and rows, go by
   * themselves.
   * Called when `up` did not come to its end, so it must work whether or not the change was made.
   */
  down?: (schema: PluginSchema) => Promise<void>;
}

/**
 * What a migration step may do.
 *
 * @example
 * ```ts
 * const addNotes = async (schema: PluginSchema): Promise<void> => {
 *   await schema.createTable({ name: 'note', columns: [{ name: 'text', type: 'text' }] });
 *   await schema.addColumn('note', { name: 'pinned', type: 'boolean', default: false });
 * };
 * await svc.db.migrate([{ id: '001', up: addNotes }]);
 * ```
 * @since 1.84.0
 */
export interface PluginSchema {
  /** @throws Error when there is such a table */
  createTable(table: PluginTable): Promise<void>;
  /** @throws Error when there is such a column */
  addColumn(table: string, column: PluginColumn): Promise<void>;
  /** @throws Error when there is an index over these columns, or when `unique` and rows have the same values */
  addIndex(table: string, index: PluginIndex): Promise<void>;
  /** In `up` once the step is done, because no table comes back; nothing happens where there is no such table. */
  dropTable(table: string): Promise<void>;
}

/**
 * Log of the plugin; every line carries its slug. The class is also the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * svc.log.info('sold', { order: '20270131-1' });
 * svc.log.error('the rate service does not answer', { tries: 3 });
 * ```
 * @since 1.84.0
 */
export abstract class PluginLogger {
  /** For whoever looks for a fault; not written at the usual level (`LOG_LEVEL`). */
  abstract debug(message: string, fields?: Record<string, unknown>): void;
  /** What happened, and was meant to. */
  abstract info(message: string, fields?: Record<string, unknown>): void;
  /** What somebody should look at some time. */
  abstract warn(message: string, fields?: Record<string, unknown>): void;
  /** What failed; an `err` among the fields is written with its stack. */
  abstract error(message: string, fields?: Record<string, unknown>): void;
}

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
export interface SvcFacade {
  /** Slug of this plugin. */
  readonly slug: string;
  /** Absolute folder of this plugin. */
  readonly path: string;
  /** IANA zone of the panel's days (`TIMEZONE`), such as `Asia/Shanghai`: an account runs to the end of its last day there. */
  readonly timezone: string;
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
  readonly db: PluginDatabase;
  readonly log: PluginLogger;
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
   * that side does not see it.
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
   * @throws Error for a path or method there cannot be
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
   * A kind of notice channel, offered on **Notices → Channels** of both sides while the plugin is on; `kind` is the plugin's own name of it,
   * 1 to 32 of `a-z 0-9 _ -`.
   *
   * @throws Error for a kind the plugin has registered already, and a record that cannot work
   */
  svc_register_notice_channel(kind: string, channel: NoticeChannelRecord): Undo;
  /**
   * A kind of server, offered on **Servers → add** while the plugin is on; `kind` is the plugin's own name of it, 1 to 32 of `a-z 0-9 _ -`. The driver is
   * given the keys of its servers: `permissions` of plugin.json has to name `host_driver`.
   *
   * @throws Error without that permission, for a kind that is registered already, naming whose it is, and for a record that cannot work
   */
  svc_register_host_driver(kind: string, driver: HostDriverRecord): Undo;
  /**
   * A kind of DNS provider, offered on **DNS providers** while the plugin is on; `kind` is the plugin's own name of it, 1 to 32 of `a-z 0-9 _ -`. It is given the
   * credentials of its accounts: `permissions` of plugin.json has to name `dns`.
   *
   * @throws Error without that permission, for a kind the plugin has registered already, and for a record that cannot work
   */
  svc_register_dns_driver(kind: string, driver: DnsDriverRecord): Undo;
  /** Every gateway that runs, by slug, with its methods. */
  svc_get_payment_plugins(): Record<string, { name: string; methods: Record<string, string> }>;
  /** What buyers can choose now, in their order; methods whose gateway is off are left out. */
  svc_get_enabled_payment_methods(): Promise<PaymentMethodRecord[]>;
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
  /** A line of the payment log. */
  svc_pay_log(content: string, level?: string): Promise<void>;
}
