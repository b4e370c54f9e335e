import { connect, type Socket } from 'node:net';

/** Request that is never completed. */
export interface StalledRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Part of the body that is sent; the rest up to {@link declared} is not. */
  readonly sent: Buffer;
  /** The `Content-Length`; null uses chunked encoding. */
  readonly declared: number | null;
}

/** Many clients that send the first part of a request and then nothing, on open connections. */
export class StalledClients {
  private constructor(private readonly sockets: readonly Socket[]) {}

  /** Connects `count` clients and sends the first part. */
  static async open(port: number, count: number, request: StalledRequest): Promise<StalledClients> {
    const framing = request.declared === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(request.declared) };
    const head = Object.entries({ host: 'test', ...request.headers, ...framing }).map(([name, value]) => `${name}: ${value}\r\n`);
    // Size of a chunk that is one byte longer than what is sent.
    const size = request.declared === null ? `${(request.sent.length + 1).toString(16)}\r\n` : '';
    const bytes = Buffer.concat([Buffer.from(`POST ${request.path} HTTP/1.1\r\n${head.join('')}\r\n${size}`), request.sent]);
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      return socket.on('error', () => undefined).resume();
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))));
    return new StalledClients(sockets);
  }

  /** Number of connections the server has not closed. */
  get open(): number {
    return this.sockets.filter(({ destroyed }) => !destroyed).length;
  }

  /**
   * Sends a byte on each connection at intervals.
   *
   * @returns function that stops it
   */
  drip(everyMs: number): () => void {
    const timer = setInterval(() => {
      for (const socket of this.sockets) if (!socket.destroyed) socket.write('x');
    }, everyMs);
    return () => clearInterval(timer);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
