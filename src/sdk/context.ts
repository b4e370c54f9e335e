import type { Readable } from 'node:stream';

/**
 * Who must be signed in: nobody, an administrator, a user, or whatever a check function of your own decides.
 *
 * @example
 * ```ts
 * const onlyAlice: AuthPolicy = (ctx) => ctx.user?.username === 'alice01';
 * svc.svc_register_route('GET', '/mine', () => 'hello', 10, onlyAlice);
 * ```
 * @since 1.84.0
 */
export type AuthPolicy = null | '' | 'none' | 'admin' | 'user' | ((ctx: CallContext) => boolean | Promise<boolean>);

/**
 * Rate limit class of a request: `public` (anyone, counted by address), `read` and `write` (counted by account, otherwise by address),
 * `expensive` for work that keeps a server or the processor busy, `order` for requests that create an order, `callback` for outside
 * services. Source: docs/operating.md "Limits".
 *
 * @example
 * ```ts
 * const rate: PluginRateClass = 'order';
 * svc.svc_register_route('POST', '/coupons/buy', () => 'ok', 10, null, { rate });
 * ```
 * @since 1.84.0
 */
export type PluginRateClass = 'public' | 'read' | 'write' | 'expensive' | 'order' | 'callback';

/**
 * A side of the panel: administrators or users.
 *
 * @example
 * ```ts
 * for (const side of ['admin', 'user'] satisfies Scope[]) svc.svc_register_page(side, 'about', () => '<p>About</p>', 'About');
 * ```
 * @since 1.84.0
 */
export type Scope = 'admin' | 'user';

/**
 * The signed-in administrator.
 *
 * @example
 * ```ts
 * svc.svc_register_ajax('admin', 'p_notes_who', ({ admin }) => ({ code: `${(admin satisfies AdminIdentity | null)?.username}` }), 'admin');
 * ```
 * @since 1.84.0
 */
export interface AdminIdentity {
  readonly id: number;
  readonly username: string;
}

/**
 * The signed-in user: a hosting account.
 *
 * @example
 * ```ts
 * svc.svc_register_ajax('user', 'p_notes_mine', async ({ user }) => {
 *   const { id }: UserIdentity = user!; // 'user' below lets nobody else in
 *   return { host: await svc.hosts.get(id) };
 * }, 'user');
 * ```
 * @since 1.84.0
 */
export interface UserIdentity {
  /** `SVC_zj.id`. */
  readonly id: number;
  readonly username: string;
}

/**
 * A file of a multipart request.
 *
 * @example
 * ```ts
 * svc.svc_register_ajax('admin', 'p_logo_save', ({ files }) => {
 *   const logo: UploadedFile | undefined = files.find(({ fieldname }) => fieldname === 'logo');
 *   return logo && logo.size < 100_000 ? { code: 'ok' } : { success: false, code: 'A picture below 100 kB, please.' };
 * }, 'admin');
 * ```
 * @since 1.84.0
 */
export interface UploadedFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  readonly buffer: Buffer;
}

/**
 * Translates a key of the plugin's own language files and fills in its `{name}` placeholders; returns the key itself if no text exists.
 *
 * @example
 * ```ts
 * const greet = (t: Translate, name: string): string => t('hello', { name }); // lang/en.json: { "hello": "Hello {name}" }
 * svc.svc_register_page('user', 'hello', (ctx) => greet(ctx.t, ctx.user!.username), 'Hello');
 * ```
 * @since 1.84.0
 */
export type Translate = (key: string, params?: Record<string, string | number>) => string;

/**
 * The context passed to every callback: the request it serves and who sent it. Source: docs/plugin-api.md "Callbacks".
 *
 * @example
 * ```ts
 * const isGerman = (ctx: CallContext): boolean => String(ctx.headers['accept-language'] ?? '').startsWith('de');
 * svc.svc_register_home((ctx) => (isGerman(ctx) ? '/de' : null));
 * ```
 * @since 1.84.0
 */
export interface CallContext {
  readonly scope: Scope | 'public';
  /** Name of the operation, for AJAX. */
  readonly gn?: string;
  readonly method: string;
  readonly path: string;
  /** Named parameters of the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The raw query string, without its `?`: for signatures, and for names that occur more than once. */
  readonly rawQuery: string;
  /** Fields of the form or of the JSON object, as strings (nested values as JSON text). */
  readonly body: Readonly<Record<string, string>>;
  /** The raw request body; empty for multipart requests. */
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly files: readonly UploadedFile[];
  /** IP address of the client; forwarding headers count only behind a proxy named in TRUST_PROXY. */
  readonly ip: string;
  /** Base URL of this panel, without a trailing slash. */
  readonly baseUrl: string;
  readonly admin: AdminIdentity | null;
  readonly user: UserIdentity | null;
  /** Slug of the plugin whose callback is running; otherwise `core`. */
  readonly plugin: string;
  /** `zh-CN` or `en`. */
  readonly locale: string;
  readonly t: Translate;
  /** Nonce for `<script nonce="…">` in this response. */
  readonly nonce: string;
}

/**
 * A full HTTP response: the plugin sets status, headers and body itself.
 *
 * @example
 * ```ts
 * const teapot: HttpReply = { status: 418, headers: { 'Content-Type': 'text/plain' }, body: 'short and stout' };
 * svc.svc_register_route('GET', '/tea', () => teapot);
 * ```
 * @since 1.84.0
 */
export interface HttpReply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | Readable | object | null;
}

/**
 * What a generic route may return: text/html, JSON, bytes, a stream, a full response, `false` to pass the request on to the next route,
 * `undefined` for 204.
 *
 * @example
 * ```ts
 * // false: the next route is asked
 * const page = async (id: string): Promise<RouteResult> => (/^\d+$/.test(id) ? { id: Number(id) } : false);
 * svc.svc_register_route('GET', '/items/{id}', ({ id }) => page(id!));
 * ```
 * @since 1.84.0
 */
export type RouteResult = string | Buffer | Readable | HttpReply | object | false | undefined | void;

/**
 * What an AJAX operation may return: an object is sent unchanged as JSON, a string as text/html.
 *
 * @example
 * ```ts
 * const saved = (name: string): AjaxResult => (name ? { success: true, code: 'Saved' } : { success: false, code: 'A name, please.' });
 * svc.svc_register_ajax('admin', 'p_notes_save', ({ body }) => saved(body.name ?? ''), 'admin', { audit: 'Saved a note' });
 * ```
 * @since 1.84.0
 */
export type AjaxResult = object | string | null | undefined | void;

/**
 * What a page, home or return callback may return; the function that takes the callback describes each value.
 *
 * @example
 * ```ts
 * // null of a page: there is nothing at this address, which answers 404
 * const coupon = (code: string): PageResult => (code === 'MAY' ? '<p>Ten percent</p>' : null);
 * svc.svc_register_page('user', 'coupon', (ctx) => coupon(ctx.query.code ?? ''), 'Coupon');
 * // null of a home: the next one is asked
 * const promo = (code: string | undefined): PageResult => (code ? `/promo/${encodeURIComponent(code)}` : null);
 * svc.svc_register_home((ctx) => promo(ctx.query.code));
 * ```
 * @since 1.84.0
 */
export type PageResult = string | null | false | undefined | void;

/**
 * What an override may return: null to pass, a string to replace the rendered view, or an object to wrap it.
 *
 * @example
 * ```ts
 * const banner = (open: boolean): OverrideResult => (open ? { before: '<p>Sale!</p>' } : null);
 * svc.svc_register_page_override('user', 'index', () => banner(true));
 * ```
 * @since 1.84.0
 */
export type OverrideResult = null | undefined | void | string | { before?: string; after?: string };
