import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

import { addressForLimits } from '../auth/index.js';

import { free } from './free.js';

/** Timeout for a request's head, in milliseconds. */
const HEAD_MS = 15_000;
/** How often Node checks for clients that exceed it, in milliseconds. */
const CHECK_INTERVAL_MS = 2_000;
/** Timeout for a whole request, in milliseconds: longer than the longest body that is fast enough, which {@link BodyPace} enforces. */
const REQUEST_MS = 5_400_000;
/**
 * How long the rest of a discarded body may keep its connection after the answer is sent: browsers read no answer while they send, and show
 * a connection error instead. `all` corresponds to nginx's `lingering_time`; a client that sends fewer than `bytes` per `each` would not
 * finish.
 */
const LINGER = { all: 30_000, each: 3_000, bytes: 64 * 1024 };
/**
 * How long an idle connection is kept open, in milliseconds. Node's own `Keep-Alive` header announces five seconds to clients, so a request
 * sent just then still finds it open; proxies use their own timeouts, a minute in nginx and most others.
 */
const KEEP_ALIVE_MS = { client: 10_000, proxy: 65_000 };
/** How often idle connections are closed during shutdown, in milliseconds. */
const CLOSE_IDLE_MS = 100;
/**
 * Maximum concurrent connections: in total, and per network that is not one of our proxies. Each costs some kilobytes before its first
 * request.
 */
const CONNECTIONS = { all: 8_192, each: 1_024 };

/** Connections of proxies. */
const proxies = new WeakSet<Socket>();

/** Settings of an {@link HttpServer}. */
export interface HttpServerOptions {
  /** Whether an address is a trusted proxy, whose connections carry many clients. */
  readonly isProxy?: (address: string) => boolean;
  /** Enables TLS, 1.2 or later, with these options; the handshake timeout equals that of the head. */
  readonly tls?: Pick<TlsOptions, 'SNICallback'>;
  /** See {@link CONNECTIONS}. */
  readonly connections?: { readonly all: number; readonly each: number };
}

/** Node's server with timeouts and connection limits, and a graceful shutdown. */
export class HttpServer {
  readonly server: Server | TlsServer;
  private readonly connections = new Map<string, number>();
  private ending = false;

  constructor(
    private readonly handle: RequestListener,
    private readonly options: HttpServerOptions = {},
  ) {
    const times = { headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_INTERVAL_MS };
    const take: RequestListener = (req, res) => this.take(req, res);
    this.server = options.tls
      ? createTlsServer({ ...times, ...options.tls, minVersion: 'TLSv1.2', handshakeTimeout: HEAD_MS }, take)
      : createServer(times, take);
    this.server.maxConnections = (options.connections ?? CONNECTIONS).all;
    this.server.on('connection', (socket: Socket) => this.count(socket));
  }

  /**
   * Continues to accept requests, but every answer closes its connection: when {@link close} is called, no client is about to reuse one.
   */
  announceEnd(): void {
    this.ending = true;
  }

  /**
   * Stops accepting connections and waits for running requests.
   *
   * @param patienceMs after which open connections are destroyed
   */
  async close(patienceMs: number): Promise<void> {
    this.announceEnd();
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    const idle = setInterval(() => this.server.closeIdleConnections(), CLOSE_IDLE_MS);
    const cut = setTimeout(() => this.server.closeAllConnections(), patienceMs);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
  }

  private take(req: IncomingMessage, res: ServerResponse): void {
    if (this.ending) res.shouldKeepAlive = false;
    res.on('finish', sent);
    this.handle(req, res);
  }

  private count(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.options.isProxy?.(address)) return void proxies.add(socket);
    const network = addressForLimits(address);
    const count = (this.connections.get(network) ?? 0) + 1;
    if (count > (this.options.connections ?? CONNECTIONS).each) return void socket.destroy();
    this.connections.set(network, count);
    socket.once('close', () => {
      const left = this.connections.get(network)! - 1;
      if (left > 0) this.connections.set(network, left);
      else this.connections.delete(network);
    });
  }
}

/** Called when an answer was sent and the connection waits for the next request. */
function sent(this: ServerResponse): void {
  const { req } = this;
  if (!req.complete && !req.destroyed) linger(req);
  // Null if the request was aborted midway.
  const socket = req.socket as Socket | null;
  // Node has set its own timeout by then, and clears it with the next request.
  if (socket && this.shouldKeepAlive) socket.setTimeout(proxies.has(socket) ? KEEP_ALIVE_MS.proxy : KEEP_ALIVE_MS.client);
}

/** Discards the rest of an answered request for a short time, then destroys the connection. */
function linger(req: IncomingMessage): void {
  req.unpipe();
  req.on('data', free);
  const { socket } = req;
  const end = performance.now() + LINGER.all;
  // Counted on the socket: Node drops a body that nobody has begun to read without emitting its data.
  let bytesBefore = socket.bytesRead;
  const timer = setInterval(() => {
    const continues = socket.bytesRead - bytesBefore >= LINGER.bytes && performance.now() < end;
    bytesBefore = socket.bytesRead;
    if (!req.complete && !continues) socket.destroy();
    if (req.complete || !continues) clearInterval(timer);
  }, LINGER.each).unref();
}
