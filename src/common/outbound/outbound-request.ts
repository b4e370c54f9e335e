import { lookup } from 'node:dns/promises';

/** An address returned by a {@link Resolver}. */
export interface ResolvedAddress {
  address: string;
  /** 4 or 6. */
  family: number;
}

/** Returns all addresses of a name; rejects or returns an empty list if it has none. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

/** Allowed methods. */
export const OUTBOUND_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** One of {@link OUTBOUND_METHODS}. */
export type OutboundMethod = (typeof OUTBOUND_METHODS)[number];

/** Request headers: a map, or lines such as `Accept: text/plain`. */
export type OutboundHeaders = Readonly<Record<string, string>> | readonly string[];

/**
 * Request body. A string, bytes or form fields are sent unchanged, anything else as JSON.
 * The content type follows from it unless the headers set one.
 */
export type OutboundBody = string | Uint8Array | URLSearchParams | Readonly<Record<string, unknown>> | readonly unknown[];

/** A request; properties that are not listed here are ignored. */
export interface OutboundRequest {
  url: string;
  /** Default `GET`. */
  method?: OutboundMethod;
  headers?: OutboundHeaders;
  /** Not sent with `GET` and `HEAD`. */
  body?: OutboundBody;
  /** Timeout for everything together: name resolution, all hops, the body. 1 to 120,000 ms; default 15,000. */
  timeoutMs?: number;
  /** Maximum size of the response body, on the wire and again decoded. 0 to 100 MB; default 10 MB. */
  maxBytes?: number;
  /** 0 to 10; default 3. With 0 a redirect is returned as the response. */
  maxRedirects?: number;
  /** Allowed hosts, for the first address and each redirect; any host without it. */
  mayReach?: (host: string) => boolean;
}

/** The limits of a request, all set. */
export interface OutboundLimits {
  timeoutMs: number;
  maxBytes: number;
  maxRedirects: number;
}

/** Timeout for opening a connection, TLS included, in milliseconds; counts towards the total. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Maximum size of the response headers, in bytes. */
export const MAX_RESPONSE_HEADER_BYTES = 64 * 1024;

/** Returns the limits of `request`: its own, clamped to their range, else the default. */
export function limitsOf(request: OutboundRequest): OutboundLimits {
  return {
    timeoutMs: within(request.timeoutMs, 1, 120_000, 15_000),
    maxBytes: within(request.maxBytes, 0, 100 * 1024 * 1024, 10 * 1024 * 1024),
    maxRedirects: within(request.maxRedirects, 0, 10, 3),
  };
}

/** Names of this machine that not every system resolves. https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
const LOCAL_NAME = /\.localhost$/i;

/** Resolves through the operating system, so that its hosts file and search domains apply. */
export const systemResolver: Resolver = (hostname) =>
  lookup(LOCAL_NAME.test(hostname) ? 'localhost' : hostname, { all: true, verbatim: true });

function within(value: number | undefined, min: number, max: number, fallback: number): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return fallback;
  return Math.min(max, Math.max(min, Math.floor(value)));
}
