import { connect, type Socket } from 'node:net';

/** A request whose sender never finishes it. */
export interface StalledRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What comes of the body before its sender falls silent; what is missing of {@link declared} never does. */
  readonly sent: Buffer;
  /** The `Content-Length`; null sends chunks of no declared sum. */
  readonly declared: number | null;
}

/** Many clients that send the same half of a request and then nothing, on connections they keep open. */
export class StalledClients {
  private constructor(private readonly sockets: readonly Socket[]) {}

  /** Connects `count` of them, each with its half on the way. */
  static async open(port: number, count: number, request: StalledRequest): Promise<StalledClients> {
    const framing = request.declared === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(request.declared) };
    const head = Object.entries({ host: 'test', ...request.headers, ...framing }).map(([name, value]) => `${name}: ${value}\r\n`);
    // A chunk that is one byte longer than what comes of it.
    const size = request.declared === null ? `${(request.sent.length + 1).toString(16)}\r\n` : '';
    const bytes = Buffer.concat([Buffer.from(`POST ${request.path} HTTP/1.1\r\n${head.join('')}\r\n${size}`), request.sent]);
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      return socket.on('error', () => undefined).resume();
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))));
    return new StalledClients(sockets);
  }

  /** Those the server has not cut off. */
  get open(): number {
    return this.sockets.filter(({ destroyed }) => !destroyed).length;
  }

  /** Goes on with a byte of each now and then. @returns what ends that */
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
