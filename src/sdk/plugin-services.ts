/**
 * The response of the outbound HTTP helpers.
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
  /** HTTP status; 0 if no response was received. */
  code: number;
  body: string;
  /** Error message; empty on success. */
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
  /** `GET` by default. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** A map, or lines such as `Accept: text/plain`. */
  headers?: Readonly<Record<string, string>> | readonly string[];
  /** Objects and arrays are sent as JSON, a string as a form, bytes unchanged, unless `headers` set a content type. */
  body?: string | Uint8Array | URLSearchParams | Readonly<Record<string, unknown>> | readonly unknown[];
  /** Timeout for the whole request in milliseconds, 1 to 120,000; 15,000 by default. */
  timeoutMs?: number;
  /** Maximum size of the response body in bytes, 0 to 100 MB; 10 MB by default. */
  maxBytes?: number;
  /** Maximum number of redirects, 0 to 10; 3 by default. With 0 a redirect is returned as the response. */
  maxRedirects?: number;
}

/**
 * Public information about this installation.
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
   * Returns the current name of the panel from its settings, as plain text.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons', () => String(html`<!doctype html><title>Coupons · ${svc.site.name()}</title>`));
   * ```
   * @since 1.84.0
   */
  name(): string;
  /**
   * Returns the URL of the login pages' logo, for the plugin's own public pages; empty if none is set.
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
   * Returns the URL of the site's icon, for the head of the plugin's own pages; empty if none is set.
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
   * Returns the public base URL of the panel, without a trailing slash, such as `https://panel.example.com`.
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
 * Logger of the plugin; every line contains its slug. The class is also the injection token for Nest modules.
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
   * Logs details for troubleshooting; not written at the default level (`LOG_LEVEL`).
   *
   * @example
   * ```ts
   * svc.log.debug('asked for the rate', { url: 'https://api.example.com/rate', tries: 1 });
   * ```
   * @since 1.84.0
   */
  abstract debug(message: string, fields?: Record<string, unknown>): void;
  /**
   * Logs an expected event.
   *
   * @example
   * ```ts
   * svc.svc_add_action('host.created', (user, id) => svc.log.info('a host was opened', { user, id }), 10, { id: 'opened' });
   * ```
   * @since 1.84.0
   */
  abstract info(message: string, fields?: Record<string, unknown>): void;
  /**
   * Logs a problem that should be looked at eventually.
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
   * Logs a failure; `err` in the fields is written with its stack.
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
