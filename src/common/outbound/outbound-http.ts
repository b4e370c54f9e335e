import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { API_VERSION, type HttpResponse } from '../../sdk/index.js';
import { loggerFor } from '../logger.js';
import { AddressPolicy } from './address-policy.js';
import { openExchange, type Hop } from './exchange.js';
import { followRedirects } from './follow-redirects.js';
import { OutboundFailure, type OutboundFailureCode } from './outbound-failure.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
import {
  limitsOf,
  OUTBOUND_METHODS,
  systemResolver,
  type OutboundLimits,
  type OutboundRequest,
  type Resolver,
} from './outbound-request.js';
import { encodeBody } from './request-body.js';
import { parseHeaders } from './request-headers.js';
import { readBody, writeBody } from './response-body.js';
import { parseTarget } from './target.js';

const log = loggerFor('outbound');

/** Result of a request, for the panel's code. Plugins get the {@link HttpResponse} in it, whose `error` is their contract. */
export interface OutboundAnswer extends HttpResponse {
  /** Why there is no response; absent if there is one. */
  readonly failure?: OutboundFailureCode;
}

/**
 * HTTP requests to URLs given by a user or a plugin. Only public addresses are reachable, plus the networks an administrator allowed;
 * every name is resolved once, checked and pinned, and so is every redirect (docs/outbound-http.md).
 *
 * No method rejects: the error is in `error` (`仅允许 http/https URL`, `URL 无效`, `禁止访问内网地址`, `请求失败`,
 * `HTTP {code}`), `failure` is the same as a code, and `code` is 0 without a response. The log (level debug) has the reason.
 *
 * @example
 * ```ts
 * const url = 'https://gateway.example/query';
 * const answer = await outbound.request({ url, method: 'POST', headers: { 'X-Key': key }, body: { order: '2024' } });
 * if (!answer.ok) return `查询失败：${answer.error}`;
 * ```
 */
@Injectable()
export class OutboundHttp {
  private readonly policy: AddressPolicy;
  private readonly resolver: Resolver;
  private readonly exchange: typeof openExchange;

  /** @throws Error naming an entry of `allowCidrs` that is not a network. */
  constructor(@Optional() @Inject(OUTBOUND_OPTIONS) options: OutboundOptions = {}) {
    this.policy = new AddressPolicy(options.allowCidrs);
    this.resolver = options.resolver ?? systemResolver;
    this.exchange = options.exchange ?? openExchange;
  }

  /** Sends a request. */
  request(request: OutboundRequest): Promise<OutboundAnswer> {
    return this.call(request, async (response, maxBytes) => answerOf(response, await readBody(response, maxBytes)));
  }

  /**
   * Downloads the response body into a new file, byte for byte; `body` of the answer is empty. The partial file of a failed download
   * remains; the caller must remove it.
   */
  download(request: OutboundRequest, path: string): Promise<OutboundAnswer> {
    return this.call(request, async (response, maxBytes) => {
      const answer = answerOf(response, '');
      if (answer.ok) await writeBody(response, path, maxBytes);
      return answer;
    });
  }

  private async call(
    request: OutboundRequest,
    read: (response: IncomingMessage, maxBytes: number) => Promise<OutboundAnswer>,
  ): Promise<OutboundAnswer> {
    const limits = limitsOf(request);
    const ending = new AbortController();
    const deadline = setTimeout(() => ending.abort(), limits.timeoutMs);
    try {
      return await Promise.race([this.follow(request, limits, ending.signal, read), rejectedOn(ending.signal)]);
    } catch (error) {
      const failure = OutboundFailure.from(error);
      // Log only the host: paths and queries contain keys.
      const host = URL.canParse(request.url) ? new URL(request.url).host : undefined;
      log.debug({ host, code: failure.code, reason: failure.message }, 'outbound call failed');
      return { ok: false, code: 0, body: '', error: failure.text, headers: {}, failure: failure.code };
    } finally {
      clearTimeout(deadline);
    }
  }

  private follow(
    request: OutboundRequest,
    { maxRedirects, maxBytes }: OutboundLimits,
    signal: AbortSignal,
    read: (response: IncomingMessage, maxBytes: number) => Promise<OutboundAnswer>,
  ): Promise<OutboundAnswer> {
    const { policy, resolver, exchange } = this;
    const rules = { policy, resolver, exchange, maxRedirects, signal, mayReach: request.mayReach };
    return followRedirects(firstHop(request), rules, (response) => read(response, maxBytes));
  }
}

function firstHop(request: OutboundRequest): Hop {
  const url = parseTarget(request.url);
  const method = OUTBOUND_METHODS.find((known) => known === (request.method ?? 'GET'));
  if (!method) throw new OutboundFailure('FAILED', 'unknown method');
  const headers = parseHeaders(request.headers);
  if (!headers.has('user-agent')) headers.set('user-agent', `svc-panel/${API_VERSION}`);
  // Only the caller's own URL may carry credentials; a redirecting server must not choose the credentials sent elsewhere.
  if ((url.username || url.password) && !headers.has('authorization')) headers.set('authorization', basicCredentials(url));
  if (method === 'GET' || method === 'HEAD') return { url, method, headers, body: undefined };
  const body = encodeBody(request.body);
  if (body && !headers.has('content-type')) headers.set('content-type', body.contentType);
  return { url, method, headers, body: body?.bytes ?? new Uint8Array() };
}

function basicCredentials(url: URL): string {
  const plain = [url.username, url.password].map(unescaped).join(':');
  return `Basic ${Buffer.from(plain).toString('base64')}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function answerOf(response: IncomingMessage, body: string): HttpResponse {
  const code = response.statusCode ?? 0;
  const ok = code >= 200 && code < 300;
  return { ok, code, body, error: ok ? '' : `HTTP ${code}`, headers: plainHeaders(response) };
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  // Only Set-Cookie comes as a list; its values contain commas, so they are separated by line breaks.
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : (value ?? '')]),
  );
}

function rejectedOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new OutboundFailure('FAILED', 'the call took too long')), { once: true });
  });
}
