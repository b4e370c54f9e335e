import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** HTTP server with slow clients. */
export class SlowSenders {
  private readonly sockets: Socket[] = [];

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly port: number,
  ) {}

  static async start(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<SlowSenders> {
    const server = createServer(handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SlowSenders(server, (server.address() as AddressInfo).port);
  }

  /** Starts a request without sending its body. */
  begin(headers: Readonly<Record<string, string | number>>): SlowSender {
    const socket = connect(this.port, '127.0.0.1');
    this.sockets.push(socket);
    const lines = Object.entries({ host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`);
    return new SlowSender(socket);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Client that sends a request in small parts. */
export class SlowSender {
  private heard = '';
  /** Response received before the server closed the connection. */
  readonly ended: Promise<string>;

  constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.heard += chunk.toString()));
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => socket.once('close', () => resolve(this.heard)));
  }

  send(bytes: string): this {
    if (!this.socket.destroyed) this.socket.write(bytes);
    return this;
  }

  /** Sends the same bytes repeatedly, until the connection closes or `stop` is called. */
  trickle(bytes: string, everyMs: number): { stop: () => void } {
    const timer = setInterval(() => this.send(bytes), everyMs);
    void this.ended.then(() => clearInterval(timer));
    return { stop: () => clearInterval(timer) };
  }
}
