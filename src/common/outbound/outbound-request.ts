import { lookup } from 'node:dns/promises';

/** One answer of a {@link Resolver}. */
export interface ResolvedAddress {
  address: string;
  /** 4 or 6. */
  family: number;
}

/** Gives all addresses of a name; rejects, or gives none, for a name that has none. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

/** The methods a call may use. */
export const OUTBOUND_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** One of {@link OUTBOUND_METHODS}. */
export type OutboundMethod = (typeof OUTBOUND_METHODS)[number];

/** Headers of a call: a map, or lines such as `Accept: text/plain`. */
export type OutboundHeaders = Readonly<Record<string, string>> | readonly string[];

/**
 * What a call sends. A string, bytes or form fields go as they are; anything else goes as JSON.
 * The content type follows from it unless the headers name one.
 */
export type OutboundBody = string | Uint8Array | URLSearchParams | Readonly<Record<string, unknown>> | readonly unknown[];

/** A call in full; properties that are not listed here are ignored. */
export interface OutboundRequest {
  url: string;
  /** `GET` where nothing is given. */
  method?: OutboundMethod;
  headers?: OutboundHeaders;
  /** Not sent with `GET` and `HEAD`. */
  body?: OutboundBody;
  /** For everything together: names, all hops, the body. 1 to 120,000 ms; 15,000 where nothing is given. */
  timeoutMs?: number;
  /** Of the answer's body, on the wire and again decoded. 0 to 100 MB; 10 MB where nothing is given. */
  maxBytes?: number;
  /** 0 to 10; 3 where nothing is given. With 0 a redirect is handed back as it is. */
  maxRedirects?: number;
  /** Which hosts may be asked, of the first address and of each redirect; any where nothing is given. */
  mayReach?: (host: string) => boolean;
}

/** The limits of a call, all set. */
export interface OutboundLimits {
  timeoutMs: number;
  maxBytes: number;
  maxRedirects: number;
}

/** Opening a connection, TLS included, takes at most this long (ms), within the total. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Size of the answer's header block, in bytes. */
export const MAX_RESPONSE_HEADER_BYTES = 64 * 1024;

/** The limits of `request`: its own where they are in range, else the nearest end of the range, else the default. */
export function limitsOf(request: OutboundRequest): OutboundLimits {
  return {
    timeoutMs: within(request.timeoutMs, 1, 120_000, 15_000),
    maxBytes: within(request.maxBytes, 0, 100 * 1024 * 1024, 10 * 1024 * 1024),
    maxRedirects: within(request.maxRedirects, 0, 10, 3),
  };
}

/** Names of this machine, which not every system knows. https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
const LOCAL_NAME = /\.localhost$/i;

/** Asks the operating system, so that its hosts file and search domains count like everywhere else on the machine. */
export const systemResolver: Resolver = (hostname) =>
  lookup(LOCAL_NAME.test(hostname) ? 'localhost' : hostname, { all: true, verbatim: true });

function within(value: number | undefined, least: number, most: number, standard: number): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return standard;
  return Math.min(most, Math.max(least, Math.floor(value)));
}
