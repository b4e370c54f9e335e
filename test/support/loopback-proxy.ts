import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** TCP proxy in front of a server on this machine, so that tests can interrupt the connection and restore it. */
export class LoopbackProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  private constructor(private readonly target: URL) {}

  static async start(target: string): Promise<LoopbackProxy> {
    const proxy = new LoopbackProxy(new URL(target));
    await proxy.restore();
    return proxy;
  }

  /** URL of the server through the proxy. */
  get url(): string {
    return `${this.target.protocol}//127.0.0.1:${this.port}`;
  }

  /** Closes all connections and accepts no new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Accepts connections again, on the same port. */
  async restore(): Promise<void> {
    const server = createServer((client) => {
      const upstream = createConnection({ host: this.target.hostname, port: Number(this.target.port || 6379) });
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Closes the proxy. */
  close(): Promise<void> {
    return this.cut();
  }
}
