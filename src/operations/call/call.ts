import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import type { HttpExchange } from '../../auth/index.js';
import { currentOwner, translateFor, type Locale, type TextParams } from '../../common/index.js';
import { cookiesOf, pathOf, queryOf } from '../../http/index.js';
import type { AdminIdentity, CallContext, Scope, UploadedFile, UserIdentity } from '../../sdk/index.js';

/** Details of a request that its entry point resolved; {@link CallContext} has their meaning. */
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

/** A request as callbacks see it. What not every callback looks at is made when somebody looks. */
export class RequestContext implements CallContext {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  params: Readonly<Record<string, string>> = NO_FIELDS;
  /** Details of the answer that an operation may set: cookies of a login, say. */
  private readonly search: string;
  private parsedQuery: Readonly<Record<string, string>> | null = null;
  private parsedCookies: Readonly<Record<string, string | undefined>> | null = null;
  private scriptNonce: string | null = null;

  /** Out of reach of callbacks, which see what is on this object. */
  readonly #exchange: HttpExchange;
  private shownBy: number | null = null;

  /** @param exchange its request has the address as it came, or `/` */
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
   * The request itself and its answer, for what is written for Node's own, such as passport.
   *
   * @throws Error for a call that no request made
   */
  static exchangeOf(call: CallContext): HttpExchange {
    if (typeof call !== 'object' || !(#exchange in call)) throw new Error('No request of its own made this call.');
    return call.#exchange;
  }

  /** Id the request is logged under; undefined where requests are not logged. */
  static requestIdOf(call: CallContext): string | undefined {
    const id = typeof call === 'object' && #exchange in call ? call.#exchange.res.getHeader('X-Request-Id') : undefined;
    return id === undefined ? undefined : String(id);
  }

  /** What the call gets is part of a page somebody waits for. @param ms how long its parts may take, all in all, from now on */
  showWithin(ms: number): void {
    this.shownBy = performance.now() + ms;
  }

  /** How many milliseconds are left to show the page the call gets; below 0 once they are over, null where it gets none. */
  static leftToShow(call: CallContext): number | null {
    // A list of a page has its own view of the call.
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

  /** Bound, so that a callback may take it apart: `const { t } = ctx`. */
  readonly t = (key: string, params?: TextParams): string => translateFor(currentOwner(), this.locale, key, params);
}

/** Fields of a query string; the last of a repeated name wins. */
export function parseQuery(search: string): Readonly<Record<string, string>> {
  if (search === '') return NO_FIELDS;
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(search)) fields[name] = value;
  return fields;
}

/** Body of a request that has none. */
export const EMPTY_BODY = { body: NO_FIELDS, rawBody: NOTHING, files: [] as readonly UploadedFile[] };
