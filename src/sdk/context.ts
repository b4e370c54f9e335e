import type { Readable } from 'node:stream';

/** Who must have signed in: nobody, an administrator, a user, or what a check of your own says. */
export type AuthPolicy = null | '' | 'none' | 'admin' | 'user' | ((ctx: CallContext) => boolean | Promise<boolean>);

/**
 * How often something may be asked for, by name: `public` (anybody, by address), `read` and `write` (by account, else by address),
 * `expensive` for what keeps a server or processor busy, `order` for what makes an order, `callback` for outside services.
 * Source: docs/operating.md "Limits".
 */
export type PluginRateClass = 'public' | 'read' | 'write' | 'expensive' | 'order' | 'callback';

/** Which side of the panel. */
export type Scope = 'admin' | 'user';

/** The signed-in administrator. */
export interface AdminIdentity {
  readonly id: number;
  readonly username: string;
}

/** The signed-in user: a hosting account. */
export interface UserIdentity {
  /** `SVC_zj.id`. */
  readonly id: number;
  readonly username: string;
}

/** A file of a multipart request. */
export interface UploadedFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  readonly buffer: Buffer;
}

/** Fills `{name}` places of a text of the plugin's own language files; the key itself where there is none. */
export type Translate = (key: string, params?: Record<string, string | number>) => string;

/** What every callback gets: the request it serves and who sent it. Source: docs/plugin-api.md "Callbacks". */
export interface CallContext {
  readonly scope: Scope | 'public';
  /** The operation, for AJAX. */
  readonly gn?: string;
  readonly method: string;
  readonly path: string;
  /** Named parameters of the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of the form or of the JSON object, as strings (nested values as JSON text). */
  readonly body: Readonly<Record<string, string>>;
  /** The body as it came; empty for multipart requests. */
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly files: readonly UploadedFile[];
  /** Address of the client; headers count only behind a proxy named in TRUST_PROXY. */
  readonly ip: string;
  /** Base URL of this panel, without a trailing slash. */
  readonly baseUrl: string;
  readonly admin: AdminIdentity | null;
  readonly user: UserIdentity | null;
  /** Slug of the plugin whose callback runs; `core` otherwise. */
  readonly plugin: string;
  /** `zh-CN` or `en`. */
  readonly locale: string;
  readonly t: Translate;
  /** For `<script nonce="…">` of this answer. */
  readonly nonce: string;
}

/** An answer with everything in the caller's hand. */
export interface HttpReply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | Readable | object | null;
}

/** What a generic route may return: text/html, JSON, bytes, a stream, a full reply, `false` for "not mine", `undefined` for 204. */
export type RouteResult = string | Buffer | Readable | HttpReply | object | false | undefined | void;

/** What an AJAX operation may return: an object is sent as JSON as it is, a string as text/html. */
export type AjaxResult = object | string | null | undefined | void;

/** What a page, home or return callback may return; see the function that takes it. */
export type PageResult = string | null | false | undefined | void;

/** What an override may return: pass on, replace, or wrap the rendered view. */
export type OverrideResult = null | undefined | void | string | { before?: string; after?: string };
