import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { CONNECT_TIMEOUT_MS, MAX_RESPONSE_HEADER_BYTES, type OutboundMethod, type ResolvedAddress } from './outbound-request.js';
import { OutboundFailure } from './outbound-failure.js';
import { hostOf } from './target.js';
import type { HeaderMap } from './request-headers.js';

/** How long one of several addresses may take before the next is tried, in milliseconds; Node's 250 ms is too short for distant servers. */
const NEXT_ADDRESS_AFTER_MS = 2_000;

/** One request of a call. */
export interface Hop {
  url: URL;
  method: OutboundMethod;
  headers: HeaderMap;
  body: Uint8Array | undefined;
}

/** A response whose headers have arrived; its connection stays open until {@link close}. */
export interface Exchange {
  response: IncomingMessage;
  close(): void;
}

/**
 * Sends `hop` over a new connection to one of `addresses` and nowhere else, and waits for the response headers.
 *
 * @param addresses Checked addresses of the host.
 * @param signal Aborts the exchange, also while its body is being read.
 */
export function openExchange(hop: Hop, addresses: readonly ResolvedAddress[], signal: AbortSignal): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const request = startRequest(hop, addresses);
    const connecting = setTimeout(() => request.destroy(new OutboundFailure('FAILED', 'connecting took too long')), CONNECT_TIMEOUT_MS);
    let response: IncomingMessage | undefined;
    const close = (): void => {
      clearTimeout(connecting);
      signal.removeEventListener('abort', close);
      response?.destroy();
      request.destroy();
    };
    const fail = (error: unknown): void => {
      close();
      reject(error as Error);
    };
    signal.addEventListener('abort', close);
    const closed = (): void => fail(new OutboundFailure('FAILED', 'connection closed'));
    request.on('error', (error) => {
      if (!response) fail(error);
    });
    // An unrequested upgrade (101) closes the connection without an error or a response.
    request.once('close', closed);
    onceConnected(request, hop.url, () => clearTimeout(connecting));
    request.once('response', (answer: IncomingMessage) => {
      response = answer;
      // From here on the body's reader receives errors; a connection may close while the rest of the body is still being read.
      request.off('close', closed);
      answer.on('error', () => undefined);
      resolve({ response, close });
    });
    request.end(hop.body);
  });
}

function startRequest({ url, method, headers, body }: Hop, addresses: readonly ResolvedAddress[]): ClientRequest {
  const host = hostOf(url);
  const options: https.RequestOptions & Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    method,
    host,
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    headers: wireHeaders(url, headers, body),
    // No shared agent: no connection outlives the check made for it, and no proxy is read from the environment.
    agent: false,
    lookup: pinnedTo(addresses),
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    insecureHTTPParser: false,
  };
  if (url.protocol === 'http:') return http.request(options);
  const servername = isIP(host) ? '' : host.replace(/\.$/, '');
  // Set explicitly so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
  return https.request({ ...options, servername, rejectUnauthorized: true });
}

function wireHeaders(url: URL, headers: HeaderMap, body: Uint8Array | undefined): Record<string, string | number> {
  return {
    host: url.host,
    'accept-encoding': 'gzip, deflate, br',
    ...Object.fromEntries(headers),
    ...(body && { 'content-length': body.byteLength }),
  };
}

/** Returns a DNS lookup function that always answers with these addresses. */
export function pinnedTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    process.nextTick(() => (options.all ? callback(null, [...addresses]) : callback(null, first!.address, first!.family)));
  };
}

function onceConnected(request: ClientRequest, url: URL, connected: () => void): void {
  request.once('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected));
}
