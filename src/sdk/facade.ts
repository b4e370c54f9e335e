import type { AjaxResult, AuthPolicy, CallContext, OverrideResult, PageResult, PluginRateClass, RouteResult, Scope } from './context.js';
import type { EventInfo, HookArguments, HookListener } from './hooks.js';
import type { PluginPageOptions } from './lists.js';
import type {
  BuildResult,
  CreateOrderRequest,
  HostQuota,
  HostRecord,
  MenuRecord,
  OrderOwner,
  OrderRecord,
  OrderSummary,
  PaidOrdersQuery,
  PaymentMethodRecord,
  PaymentRecord,
  ProvisionRequest,
  SettingsTabRecord,
  SettlementExtra,
  SettlementResult,
  WidgetRecord,
} from './records.js';

type MaybePromise<T> = T | Promise<T>;

/** Takes back what the call that returned it had registered; calling it twice does nothing more. */
export type Undo = () => void;

/** Options of a listener. */
export interface ListenerOptions {
  /** Stable name of a durable listener, `[a-z0-9_.-]{1,64}`; its ordinal among the plugin's listeners of that hook where nothing is given. */
  id?: string;
  /**
   * Seconds a listener of a durable hook, or of `cron`, may take: 60 to 3,600; 60 where nothing is given. An attempt that takes
   * longer counts as failed. Other hooks do not wait longer for anybody.
   */
  deadlineSeconds?: number;
}

/** Options of a generic route. */
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

/** Options of an AJAX operation. */
export interface AjaxOptions {
  /** What it does, for the operation log, such as `Saved a plan`; without it no line is written. Name one where it changes something. */
  audit?: string;
  /** Where nothing is given, `write` for an operation that needs an administrator or user, `public` for any other. */
  rate?: PluginRateClass;
}

/** Answer of the outbound helpers. */
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

/** Hosting accounts. Every change fires its hook. The class is also the token a Nest module injects it by. */
export abstract class HostsService {
  /** @throws Error with `code` such as `ACCOUNT_EXISTS`, `NODE_NOT_FOUND`, `INVALID_INPUT`. */
  abstract provision(request: ProvisionRequest): Promise<HostRecord>;
  /** Reasons stack; a second pause for the same reason does nothing. */
  abstract pause(id: number, reason?: string): Promise<HostRecord>;
  /** Lifts only the given reason (`plugin` where nothing is given). */
  abstract unpause(id: number, reason?: string): Promise<HostRecord>;
  /** `expiresOn` is `YYYY-MM-DD`, null for never. */
  abstract renew(id: number, expiresOn: string | null): Promise<HostRecord>;
  abstract terminate(id: number): Promise<void>;
  abstract get(idOrUser: number | string): Promise<HostRecord | null>;
  /** Nodes accounts can be opened on; limits in `unenforced` are kept there and have no effect. */
  abstract nodes(): Promise<{ code: string; name: string; unenforced: readonly ('databaseMb' | 'trafficGb' | 'domains')[] }[]>;
  abstract setQuota(id: number, quota: HostQuota): Promise<HostRecord>;
}

/** Orders of `SVC_dd`. The class is also the token a Nest module injects it by. */
export abstract class OrdersService {
  abstract create(request: CreateOrderRequest): Promise<OrderSummary>;
  abstract get(idOrNumber: number | string): Promise<OrderSummary | null>;
  /** Paid orders of a scene in the order they were paid, a page at a time: to compare what was paid with what was delivered. */
  abstract paid(query: PaidOrdersQuery): Promise<OrderSummary[]>;
  /**
   * Gives an order that is nobody's to the account or customer it was for, such as the account that was opened with it. False where it is
   * somebody's already, or there is no such order.
   */
  abstract assign(idOrNumber: number | string, owner: OrderOwner): Promise<boolean>;
}

/** What a statement of {@link PluginDatabase} gives back. */
export interface WriteResult {
  affected: number;
  insertId: number;
}

/** A column of a plugin's table. */
export interface PluginColumn {
  name: string;
  type: 'integer' | 'bigint' | 'string' | 'text' | 'boolean' | 'datetime' | 'money';
  /** Characters, for `string`: 1 to 255. */
  length?: number;
  nullable?: boolean;
  default?: string | number | boolean | null;
}

/** An index over columns of a table, in their order. */
export interface PluginIndex {
  columns: string[];
  unique?: boolean;
}

/** A table of the plugin; its full name is `SVC_plg_<slug>_<name>` and it gets an `id` of its own. */
export interface PluginTable {
  name: string;
  columns: PluginColumn[];
  indexes?: PluginIndex[];
}

/** The plugin's own tables. SQL names them `{name}`, which becomes the full, quoted name; parameters are `?`. The class is also the injection token. */
export abstract class PluginDatabase {
  /**
   * Runs each step once, in the order of its id. A step that throws, or in which the process ends, leaves nothing of itself behind:
   * it is undone, at the latest before it runs again.
   *
   * @throws Error naming the step, when it writes rows and changes tables afterwards, or changes tables by SQL and has no `down`
   */
  abstract migrate(steps: MigrationStep[]): Promise<void>;
  abstract query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
  abstract run(sql: string, params?: unknown[]): Promise<WriteResult>;
  /** Everything inside commits or nothing does; keep network calls out of it. */
  abstract transaction<T>(work: () => Promise<T>): Promise<T>;
}

/** One step of the way from no tables to those of this version. */
export interface MigrationStep {
  /** 1 to 120 letters, digits, `_ . -`; the order of the steps. */
  id: string;
  /** Changes tables first and writes rows afterwards: MySQL commits at each change of a table. */
  up: (schema: PluginSchema) => Promise<void>;
  /**
   * Undoes what `up` changed by SQL of its own, such as a column's name; tables, columns and indexes made by the schema, and rows, go by themselves.
   * Called when `up` did not come to its end, so it must work whether or not the change was made.
   */
  down?: (schema: PluginSchema) => Promise<void>;
}

/** What a migration step may do. */
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

/** Log of the plugin; every line carries its slug. The class is also the token a Nest module injects it by. */
export abstract class PluginLogger {
  abstract debug(message: string, fields?: Record<string, unknown>): void;
  abstract info(message: string, fields?: Record<string, unknown>): void;
  abstract warn(message: string, fields?: Record<string, unknown>): void;
  abstract error(message: string, fields?: Record<string, unknown>): void;
}

/**
 * Everything a plugin can do. A function plugin gets it as its argument; a Nest module injects it under {@link SVC_FACADE}.
 *
 * @example
 * ```js
 * module.exports = (svc) => {
 *   svc.svc_register_ajax('user', 'p_hello_ping', (ctx) => ({ code: 'pong', user: ctx.user.username }), 'user');
 * };
 * ```
 */
export interface SvcFacade {
  /** Slug of this plugin. */
  readonly slug: string;
  /** Absolute folder of this plugin. */
  readonly path: string;
  /** IANA zone of the panel's days (`TIMEZONE`), such as `Asia/Shanghai`: an account runs to the end of its last day there. */
  readonly timezone: string;
  readonly hosts: HostsService;
  readonly orders: OrdersService;
  readonly db: PluginDatabase;
  readonly log: PluginLogger;
  /**
   * Runs `callback` when the plugin stops (disabled, upgraded, a start that failed, end of the panel), once the calls under way
   * have ended; the last one given runs first. Ten seconds for all of them together, the life-cycle hooks of Nest modules included.
   */
  onStop(callback: () => MaybePromise<void>): void;
  /** As Node's, and cleared when the plugin stops; so are the global ones, which a plugin may use as well. */
  setTimeout<Args extends unknown[]>(callback: (...args: Args) => unknown, milliseconds?: number, ...args: Args): NodeJS.Timeout;
  setInterval<Args extends unknown[]>(callback: (...args: Args) => unknown, milliseconds?: number, ...args: Args): NodeJS.Timeout;
  setImmediate<Args extends unknown[]>(callback: (...args: Args) => unknown, ...args: Args): NodeJS.Immediate;
  /** The delivery this listener is in; null outside a durable listener. */
  event(): EventInfo | null;

  svc_plugin_register(slug: string, info: Record<string, unknown>): boolean;
  svc_add_action<H extends string>(hook: H, callback: HookListener<H>, priority?: number, options?: ListenerOptions): Undo;
  svc_do_action<H extends string>(hook: H, ...args: HookArguments<H>): Promise<void>;
  svc_add_filter(hook: string, callback: (value: never, ...args: never[]) => unknown, priority?: number): Undo;
  svc_apply_filters<T>(hook: string, value: T, ...args: unknown[]): Promise<T>;

  svc_register_ajax(
    scope: Scope,
    gn: string,
    callback: (ctx: CallContext) => MaybePromise<AjaxResult>,
    auth?: AuthPolicy,
    options?: AjaxOptions,
  ): Undo;
  svc_register_page(
    scope: Scope,
    page: string,
    file: string | ((ctx: CallContext) => MaybePromise<PageResult>),
    title: string,
    options?: PluginPageOptions,
  ): Undo;
  svc_register_menu(scope: Scope, menu: MenuRecord): Undo;
  svc_register_widget(scope: Scope, area: string, callback: (ctx: CallContext) => MaybePromise<string | WidgetRecord | null>): Undo;
  svc_register_settings_tab(scope: Scope, tab: SettingsTabRecord): Undo;
  svc_register_home(callback: (ctx: CallContext) => MaybePromise<PageResult>, priority?: number): Undo;
  svc_register_route(
    method: string,
    path: string,
    callback: (params: Record<string, string>, ctx: CallContext) => MaybePromise<RouteResult>,
    priority?: number,
    auth?: AuthPolicy,
    options?: RouteOptions,
  ): Undo;
  svc_register_page_override(
    scope: Scope,
    view: string,
    callback: (vars: Record<string, unknown>, ctx: CallContext) => MaybePromise<OverrideResult>,
    priority?: number,
  ): Undo;
  svc_register_partial_override(
    scope: Scope,
    view: string,
    callback: (vars: Record<string, unknown>, ctx: CallContext) => MaybePromise<OverrideResult>,
    priority?: number,
  ): Undo;

  svc_plugin_option_get<T = unknown>(slug: string, key: string, fallback?: T): Promise<T>;
  svc_plugin_option_set(slug: string, key: string, value: unknown): Promise<boolean>;
  /** Throws the failure answer when the current request is not an administrator's. */
  svc_plugin_require_admin(): void;
  /** Throws the failure answer when the current request is not a user's. */
  svc_plugin_require_user(): void;
  svc_plugin_auth_check(auth: AuthPolicy): Promise<boolean>;
  /** Sends the failure answer of `auth` and ends the request (it throws; do not catch it). */
  svc_plugin_auth_fail(auth: AuthPolicy): never;
  svc_http_get(url: string, headers?: Record<string, string> | string[]): Promise<HttpResponse>;
  svc_http_post(
    url: string,
    data: string | Buffer | Record<string, unknown>,
    headers?: Record<string, string> | string[],
  ): Promise<HttpResponse>;

  svc_register_payment(slug: string, info: PaymentRecord): Undo;
  svc_get_payment_plugins(): Record<string, { name: string; methods: Record<string, string> }>;
  svc_get_enabled_payment_methods(): Promise<PaymentMethodRecord[]>;
  svc_save_payment_methods(methods: Partial<PaymentMethodRecord>[]): Promise<PaymentMethodRecord[]>;
  svc_pay_type(slug: string, method: string): string;
  svc_pay_parse_type(type: string): { slug: string; method: string } | false;
  svc_pay_dispatch_gateway(order: OrderRecord | string | number, type: string): Promise<BuildResult>;
  svc_pay_settle_order(order: OrderRecord | string, gatewaySlug: string, extra?: SettlementExtra): Promise<SettlementResult>;
  svc_pay_log(content: string, level?: string): Promise<void>;
}
