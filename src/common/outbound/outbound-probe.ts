import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';

import { AddressPolicy } from './address-policy.js';
import { readBodyStart } from './capped-body.js';
import { openExchange, pinnedTo, type Hop } from './exchange.js';
import { followRedirects } from './follow-redirects.js';
import { OutboundFailure } from './outbound-failure.js';
import type { OutboundOptions } from './outbound-options.js';
import { systemResolver, type ResolvedAddress, type Resolver } from './outbound-request.js';
import { parseHeaders } from './request-headers.js';
import { checkedAddresses, parseTarget } from './target.js';

/** Why a probe got no response: `internal` was not attempted, everything else is the result of an attempt. */
export type ProbeProblem = 'url' | 'internal' | 'timeout' | 'name' | 'refused' | 'unreachable' | 'closed' | 'tls' | 'redirects' | 'failed';

/** A probe without a response. */
export interface ProbeFailure {
  readonly problem: ProbeProblem;
}

/** What {@link OutboundProbe.http} sends. */
export interface ProbeRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout for everything together: name resolution, all hops, the body. */
  readonly timeoutMs: number;
  /** Maximum bytes read of the body. */
  readonly maxBytes: number;
}

/** Response of a web server. */
export interface HttpAnswer {
  readonly status: number;
  /** The start of the body. */
  readonly body: string;
}

/** The certificate of a server. */
export interface TlsAnswer {
  readonly validTo: Date;
  /** Why browsers would reject it, such as `CERT_HAS_EXPIRED`; empty if they accept it. */
  readonly distrust: string;
}

const MAX_REDIRECTS = 3;
/** Timeout of the name resolution for a form, in milliseconds. */
const LOOK_UP_MS = 3_000;

/**
 * Checks whether a server responds, for monitors set up by customers. Like {@link OutboundHttp} it reaches public addresses and allowed
 * networks only, resolves every name once and connects to the checked addresses; unlike it, it reports the reason of a failure, and reads
 * only the start of a body. No method rejects.
 */
export class OutboundProbe {
  private readonly policy: AddressPolicy;
  private readonly resolver: Resolver;

  /** @throws Error naming an entry of `allowCidrs` that is not a network. */
  constructor(options: OutboundOptions = {}) {
    this.policy = new AddressPolicy(options.allowCidrs);
    this.resolver = options.resolver ?? systemResolver;
  }

  /** Sends an HTTP request, following at most three redirects, each of which is checked like the first address. */
  http(request: ProbeRequest): Promise<HttpAnswer | ProbeFailure> {
    return within(request.timeoutMs, (signal) => this.follow(request, signal));
  }

  /** Opens a connection and closes it. */
  tcp(host: string, port: number, timeoutMs: number): Promise<Record<string, never> | ProbeFailure> {
    return within(timeoutMs, async (signal) => {
      const addresses = await this.addressesOf(host);
      signal.throwIfAborted();
      await opened(connect({ host, port, lookup: pinnedTo(addresses), autoSelectFamily: true }), 'connect', signal);
      return {};
    });
  }

  /** Reads the certificate of a server. */
  tls(host: string, port: number, timeoutMs: number): Promise<TlsAnswer | ProbeFailure> {
    return within(timeoutMs, async (signal) => {
      const addresses = await this.addressesOf(host);
      signal.throwIfAborted();
      const servername = isIP(host) ? '' : host;
      const socket = connectTls({ host, port, servername, lookup: pinnedTo(addresses), rejectUnauthorized: false });
      return opened(socket, 'secureConnect', signal, () => certificateOf(socket));
    });
  }

  /** Returns whether all of these addresses may be shown to the caller. */
  permits(addresses: readonly string[]): boolean {
    return addresses.every((address) => this.policy.permits(address));
  }

  /** Returns whether a host is off limits for probes; false if it cannot be resolved right now. */
  async isInternal(host: string): Promise<boolean> {
    const found = await within(LOOK_UP_MS, async () => void (await this.addressesOf(host)));
    return found?.problem === 'internal' || found?.problem === 'url';
  }

  /** Returns the addresses of a host, all of them permitted. @throws OutboundFailure as {@link checkedAddresses} */
  private addressesOf(host: string): Promise<ResolvedAddress[]> {
    return checkedAddresses(parseTarget(`http://${isIP(host) === 6 ? `[${host}]` : host}/`), this.resolver, this.policy);
  }

  private async follow({ url, method, headers, maxBytes }: ProbeRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const given = parseHeaders(headers);
    if (!given.has('user-agent')) given.set('user-agent', 'svc-panel-monitor');
    given.set('accept-encoding', 'identity');
    const first: Hop = { url: parseTarget(url), method, headers: given, body: method === 'POST' ? new Uint8Array() : undefined };
    const { policy, resolver } = this;
    return followRedirects(first, { policy, resolver, exchange: openExchange, maxRedirects: MAX_REDIRECTS, signal }, async (response) => ({
      status: response.statusCode ?? 0,
      body: await readBodyStart(response, maxBytes),
    }));
  }
}

async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | ProbeFailure> {
  const ending = new AbortController();
  const timeout = setTimeout(() => ending.abort(), timeoutMs);
  try {
    const aborted = new Promise<never>((_resolve, reject) => {
      ending.signal.addEventListener('abort', () => reject(new Error('the probe took too long')), { once: true });
    });
    return await Promise.race([work(ending.signal), aborted]);
  } catch (error) {
    return { problem: ending.signal.aborted ? 'timeout' : problemOf(error) };
  } finally {
    clearTimeout(timeout);
    ending.abort();
  }
}

function opened<T>(socket: Socket | TLSSocket, event: string, signal: AbortSignal, then?: () => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (): void => void socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.once(event, () => {
      try {
        resolve(then?.() as T);
      } catch (error) {
        reject(error as Error);
      }
      end();
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('connection closed')));
  });
}

function certificateOf(socket: TLSSocket): TlsAnswer {
  const certificate: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (!certificate.valid_to) throw Object.assign(new Error('no certificate'), { code: 'ERR_TLS_NONE' });
  const reason: unknown = socket.authorizationError;
  return {
    validTo: new Date(certificate.valid_to),
    distrust: socket.authorized ? '' : String((reason as { code?: string } | null)?.code ?? reason ?? ''),
  };
}

const OF_CODE: Readonly<Record<string, ProbeProblem>> = {
  ENOTFOUND: 'name',
  ENODATA: 'name',
  EAI_AGAIN: 'name',
  ESERVFAIL: 'name',
  ETIMEOUT: 'name',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
};

function problemOf(error: unknown): ProbeProblem {
  if (error instanceof OutboundFailure) {
    if (error.code === 'INTERNAL') return 'internal';
    if (error.code === 'URL' || error.code === 'SCHEME') return 'url';
    if (error.message === 'name without an address') return 'name';
    if (error.message === 'connecting took too long') return 'timeout';
    if (error.message === 'connection closed') return 'closed';
    if (error.message === 'too many redirects') return 'redirects';
  }
  const { code = '', errors } = (error ?? {}) as { code?: string; errors?: unknown[] };
  if (errors?.length) return problemOf(errors[0]);
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return 'tls';
  return OF_CODE[code] ?? 'failed';
}
