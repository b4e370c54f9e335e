import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import type { HttpExchange } from '../../auth/index.js';
import { currentOwner, translateFor, type Locale, type TextParams } from '../../common/index.js';
import { cookiesOf, pathOf, queryOf } from '../../http/index.js';
import type { AdminIdentity, CallContext, Scope, UploadedFile, UserIdentity } from '../../sdk/index.js';

/** Details of a request resolved by its entry point; see {@link CallContext} for their meaning. */
export interface CallDetails {
  readonly scope: Scope | 'public';
  readonly ip: string;
  readonly baseUrl: string;
  readonly locale: Locale;
  readonly admin: AdminIdentity | null;
  readonly user: UserIdentity | null;
  readonly body: Readonly<Record<string, string>>;
  readonly rawBody: Buffer;
  readonly files: readonly UploadedFile[];
  readonly gn?: string;
}

const NOTHING = Buffer.alloc(0);
const NO_FIELDS: Readonly<Record<string, string>> = Object.freeze({});

/** A request as callbacks see it. Details that few callbacks need are computed on first use. */
export class RequestContext implements CallContext {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  params: Readonly<Record<string, string>> = NO_FIELDS;
  private readonly search: string;
  private parsedQuery: Readonly<Record<string, string>> | null = null;
  private parsedCookies: Readonly<Record<string, string | undefined>> | null = null;
  private scriptNonce: string | null = null;

  /** Private to the class, because callbacks can read any public property of this object. */
  readonly #exchange: HttpExchange;
  private shownBy: number | null = null;

  /** @param exchange request with its raw URL, or `/` */
  constructor(
    exchange: HttpExchange,
    private readonly details: CallDetails,
  ) {
    const { method = 'GET', url = '/', headers } = exchange.req;
    this.#exchange = exchange;
    this.method = method;
    this.headers = headers;
    this.path = pathOf(url);
    this.search = queryOf(url);
  }

  /**
   * Returns the request and its response, for libraries that need Node's objects, such as passport.
   *
   * @throws Error for a call without a request
   */
  static exchangeOf(call: CallContext): HttpExchange {
    if (typeof call !== 'object' || !(#exchange in call)) throw new Error('This call does not belong to a request.');
    return call.#exchange;
  }

  /** Returns the id under which the request is logged; undefined if requests are not logged. */
  static requestIdOf(call: CallContext): string | undefined {
    const id = typeof call === 'object' && #exchange in call ? call.#exchange.res.getHeader('X-Request-Id') : undefined;
    return id === undefined ? undefined : String(id);
  }

  /** Limits the time for building the page that this call serves. @param ms total time for its parts from now on */
  showWithin(ms: number): void {
    this.shownBy = performance.now() + ms;
  }

  /** Returns the remaining time for building the page, in milliseconds; negative when exceeded, null without a limit. */
  static leftToShow(call: CallContext): number | null {
    // Lists of a page get their own object derived from the call, so a private `#` field would not be accessible.
    const by = (call as RequestContext).shownBy ?? null;
    return by === null ? null : by - performance.now();
  }

  get scope(): Scope | 'public' {
    return this.details.scope;
  }
  get gn(): string | undefined {
    return this.details.gn;
  }
  get ip(): string {
    return this.details.ip;
  }
  get baseUrl(): string {
    return this.details.baseUrl;
  }
  get locale(): Locale {
    return this.details.locale;
  }
  get admin(): AdminIdentity | null {
    return this.details.admin;
  }
  get user(): UserIdentity | null {
    return this.details.user;
  }
  get body(): Readonly<Record<string, string>> {
    return this.details.body;
  }
  get rawBody(): Buffer {
    return this.details.rawBody;
  }
  get files(): readonly UploadedFile[] {
    return this.details.files;
  }
  get plugin(): string {
    return currentOwner();
  }

  get rawQuery(): string {
    return this.search;
  }

  get query(): Readonly<Record<string, string>> {
    this.parsedQuery ??= parseQuery(this.search);
    return this.parsedQuery;
  }

  get cookies(): Readonly<Record<string, string | undefined>> {
    this.parsedCookies ??= cookiesOf(this.headers);
    return this.parsedCookies;
  }

  get nonce(): string {
    this.scriptNonce ??= randomBytes(16).toString('base64');
    return this.scriptNonce;
  }

  /** Bound, so that callbacks may destructure it: `const { t } = ctx`. */
  readonly t = (key: string, params?: TextParams): string => translateFor(currentOwner(), this.locale, key, params);
}

/** Parses a query string; of a repeated name the last value wins. */
export function parseQuery(search: string): Readonly<Record<string, string>> {
  if (search === '') return NO_FIELDS;
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(search)) fields[name] = value;
  return fields;
}

/** Body of a request without one. */
export const EMPTY_BODY = { body: NO_FIELDS, rawBody: NOTHING, files: [] as readonly UploadedFile[] };
