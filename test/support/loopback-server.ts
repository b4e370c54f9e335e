import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';

/** Self-signed certificate and key for the name other.test, for tests only. */
export const TEST_CERTIFICATE = readFileSync(new URL('./tls/other.test.pem', import.meta.url));

/** Server on a free port of 127.0.0.1. */
export interface LoopbackServer {
  port: number;
  close(): Promise<void>;
}

/** Starts an HTTP server. */
export function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  return listen(http.createServer(listener));
}

/** HTTPS server. */
export interface SecureLoopbackServer extends LoopbackServer {
  /**
   * Replaces the certificate for new connections.
   *
   * @param pair PEM
   */
  show(pair: { key: string; pem: string }): void;
}

/** Starts an HTTPS server with {@link TEST_CERTIFICATE}. */
export async function serveHttps(listener: RequestListener): Promise<SecureLoopbackServer> {
  const server = https.createServer({ key: TEST_CERTIFICATE, cert: TEST_CERTIFICATE }, listener);
  return { ...(await listen(server)), show: ({ key, pem }) => (server.setSecureContext({ key, cert: pem }), server.closeAllConnections()) };
}

/** Starts a TCP server. */
export function serveTcp(listener: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(net.createServer(listener));
}

async function listen(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
