import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

import { addressForLimits } from '../auth/index.js';

import { free } from './free.js';

/** How long a client may take for the head of a request, in milliseconds. */
const HEAD_MS = 15_000;
/** How often Node looks for clients that take longer. */
const LOOK_MS = 2_000;
/** How long any request may take to arrive: longer than the longest body that comes fast enough, which {@link BodyPace} sees to. */
const REQUEST_MS = 5_400_000;
/**
 * How long the rest of a body that nobody wants may keep its connection once the answer is sent: browsers read no answer while
 * they send, and show a broken connection in its place. `all` is nginx's `lingering_time`; whoever sends fewer than `bytes` in
 * `each` would not come to the end.
 */
const LINGER = { all: 30_000, each: 3_000, bytes: 64 * 1024 };
/**
 * How long a connection is kept for the next request. Clients are told five seconds (Node's own `Keep-Alive`), and one that sends just then
 * still finds it open; proxies go by times of their own, which are a minute in nginx and most others.
 */
const KEEP_MS = { client: 10_000, proxy: 65_000 };
/** How often connections that have become idle are closed while the server ends. */
const CLOSE_IDLE_MS = 100;
/**
 * Connections at once: of everybody, and of one network that is no proxy of ours. Each costs some kilobytes before it has said anything.
 */
const CONNECTIONS = { all: 8_192, each: 1_024 };

/** Connections of proxies. */
const proxies = new WeakSet<Socket>();

/** Settings of an {@link HttpServer}. */
export interface HttpServerOptions {
  /** Whether an address is a proxy that speaks for many. */
  readonly isProxy?: (address: string) => boolean;
  /** Speaks TLS, 1.2 or later, with these; the handshake has the time a head has. */
  readonly tls?: Pick<TlsOptions, 'SNICallback'>;
  /** See {@link CONNECTIONS}. */
  readonly connections?: { readonly all: number; readonly each: number };
}

/** Node's server with limits of time and number on connections, and an end in order. */
export class HttpServer {
  readonly server: Server | TlsServer;
  private readonly connections = new Map<string, number>();
  private ending = false;

  constructor(
    private readonly handle: RequestListener,
    private readonly options: HttpServerOptions = {},
  ) {
    const times = { headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: LOOK_MS };
    const take: RequestListener = (req, res) => this.take(req, res);
    this.server = options.tls
      ? createTlsServer({ ...times, ...options.tls, minVersion: 'TLSv1.2', handshakeTimeout: HEAD_MS }, take)
      : createServer(times, take);
    this.server.maxConnections = (options.connections ?? CONNECTIONS).all;
    this.server.on('connection', (socket: Socket) => this.count(socket));
  }

  /** Accepts as before, but every answer ends its connection: when {@link close} comes, nobody is about to use one again. */
  announceEnd(): void {
    this.ending = true;
  }

  /**
   * Accepts nobody any more and waits for what is under way.
   *
   * @param patienceMs after which whatever is still open is cut
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
    const who = addressForLimits(address);
    const count = (this.connections.get(who) ?? 0) + 1;
    if (count > (this.options.connections ?? CONNECTIONS).each) return void socket.destroy();
    this.connections.set(who, count);
    socket.once('close', () => {
      const left = this.connections.get(who)! - 1;
      if (left > 0) this.connections.set(who, left);
      else this.connections.delete(who);
    });
  }
}

/** The answer is sent, and the connection waits for the next request. */
function sent(this: ServerResponse): void {
  const { req } = this;
  if (!req.complete && !req.destroyed) linger(req);
  // There is none any more where the request was given up in the middle.
  const socket = req.socket as Socket | null;
  // Node has set its own time by then, and takes it away with the next request.
  if (socket && this.shouldKeepAlive) socket.setTimeout(proxies.has(socket) ? KEEP_MS.proxy : KEEP_MS.client);
}

/** What is still on its way of a request that was answered is read into nothing for a moment, and then the connection is cut. */
function linger(req: IncomingMessage): void {
  req.unpipe();
  req.on('data', free);
  const { socket } = req;
  const end = performance.now() + LINGER.all;
  // Of the socket: Node drops a body nobody has begun to read before anybody hears of it.
  let heard = socket.bytesRead;
  const looking = setInterval(() => {
    const goesOn = socket.bytesRead - heard >= LINGER.bytes && performance.now() < end;
    heard = socket.bytesRead;
    if (!req.complete && !goesOn) socket.destroy();
    if (req.complete || !goesOn) clearInterval(looking);
  }, LINGER.each).unref();
}
