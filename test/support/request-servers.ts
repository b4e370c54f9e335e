import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** HTTP servers for tests of request parsers, so that these get real requests. */
export class RequestServers {
  private readonly servers: Server[] = [];

  /** Starts a server that passes every request to `read`; `result` is the result for the first one. */
  async serve<T>(read: (req: IncomingMessage) => Promise<T>): Promise<{ url: string; result: Promise<T> }> {
    let settle: (value: Promise<T>) => void;
    const result = new Promise<T>((resolve) => (settle = resolve));
    result.catch(() => undefined);
    const server = createServer((req, res) => {
      const reading = read(req);
      reading.catch(() => undefined).finally(() => res.writeHead(204, { connection: 'close' }).end());
      settle(reading);
    });
    this.servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, result };
  }

  /** Stops all servers. */
  async close(): Promise<void> {
    for (const server of this.servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
