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
 * A request to an outside service; see {@link SvcFacade.http}.
 *
 * @example
 * ```ts
 * const request: HttpRequest = { url: 'https://api.example.com/orders/7', method: 'DELETE', timeoutMs: 3_000, maxBytes: 64 * 1024 };
 * const { ok, error } = await svc.http(request);
 * if (!ok) svc.log.warn('not deleted', { error });
 * ```
 * @since 1.84.0
 */
export interface HttpRequest {
  url: string;
  /** `GET` where nothing is given. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** A map, or lines such as `Accept: text/plain`. */
  headers?: Readonly<Record<string, string>> | readonly string[];
  /** An object or a list as JSON, a text as a form, bytes as they are, unless `headers` name a content type. */
  body?: string | Uint8Array | URLSearchParams | Readonly<Record<string, unknown>> | readonly unknown[];
  /** Milliseconds for everything together, 1 to 120,000; 15,000 where nothing is given. */
  timeoutMs?: number;
  /** Of the answer's body, 0 to 100 MB; 10 MB where nothing is given. */
  maxBytes?: number;
  /** 0 to 10; 3 where nothing is given. With 0 a redirect is handed back as it is. */
  maxRedirects?: number;
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
  /**
   * The name of the panel as it stands now in its settings, as plain text.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons', () => String(html`<!doctype html><title>Coupons · ${svc.site.name()}</title>`));
   * ```
   * @since 1.84.0
   */
  name(): string;
  /**
   * Address of the logo of the login pages, for pages of your own that visitors see; empty where there is none.
   *
   * @example
   * ```ts
   * const mark = svc.site.logo() === '' ? '' : html`<img src="${svc.site.logo()}" alt="">`;
   * svc.svc_register_route('GET', '/notes', () => html`<h1>${mark} ${svc.site.name()}</h1>`);
   * ```
   * @since 1.84.0
   */
  logo(): string;
  /**
   * Address of the icon of the site, for the head of a page of your own; empty where there is none.
   *
   * @example
   * ```ts
   * const icon = svc.site.icon() === '' ? '' : html`<link rel="icon" href="${svc.site.icon()}">`;
   * svc.svc_register_route('GET', '/notes', () => html`<!doctype html><title>Notes</title>${icon}<h1>Notes</h1>`);
   * ```
   * @since 1.84.0
   */
  icon(): string;
  /**
   * The address people reach the panel at, without a slash at its end, such as `https://panel.example.com`.
   *
   * @example
   * ```ts
   * const text = `Your coupon waits: ${svc.site.url()}/p/coupons/mine`;
   * await svc.mail.send({ to: 'alice@example.com', subject: 'Your coupon', text });
   * ```
   * @since 1.84.0
   */
  url(): string;
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
  /**
   * For whoever looks for a fault; not written at the usual level (`LOG_LEVEL`).
   *
   * @example
   * ```ts
   * svc.log.debug('asked for the rate', { url: 'https://api.example.com/rate', tries: 1 });
   * ```
   * @since 1.84.0
   */
  abstract debug(message: string, fields?: Record<string, unknown>): void;
  /**
   * What happened, and was meant to.
   *
   * @example
   * ```ts
   * svc.svc_add_action('host.created', (user, id) => svc.log.info('a host was opened', { user, id }), 10, { id: 'opened' });
   * ```
   * @since 1.84.0
   */
  abstract info(message: string, fields?: Record<string, unknown>): void;
  /**
   * What somebody should look at some time.
   *
   * @example
   * ```ts
   * const answer = await svc.svc_http_get('https://api.example.com/rate');
   * if (!answer.ok) svc.log.warn('no rate, yesterday’s is used', { status: answer.code, error: answer.error });
   * ```
   * @since 1.84.0
   */
  abstract warn(message: string, fields?: Record<string, unknown>): void;
  /**
   * What failed; an `err` among the fields is written with its stack.
   *
   * @example
   * ```ts
   * try {
   *   await svc.hosts.pause(7, 'coupons');
   * } catch (err) {
   *   svc.log.error('not paused', { err, host: 7 });
   * }
   * ```
   * @since 1.84.0
   */
  abstract error(message: string, fields?: Record<string, unknown>): void;
}
