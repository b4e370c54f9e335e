import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { HttpServer } from './http-server.js';

const PROXY = '127.0.0.2';

let server: HttpServer;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  server = new HttpServer((_req, res) => void res.end('fine'), { isProxy: (address) => address.endsWith(PROXY) });
  server.server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close(100);
});

/** A client, and how long its connection was open after the first answer, in milliseconds; null while it is. */
async function client(localAddress?: string): Promise<{ socket: Socket; answers: () => number; openFor: () => number | null }> {
  const socket = connect({ port: (server.server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  let [text, answered, closed]: [string, number, number | null] = ['', 0, null];
  socket.on('error', () => undefined).setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    answered ||= performance.now();
  });
  socket.on('close', () => (closed = performance.now()));
  await once(socket, 'connect');
  return { socket, answers: () => text.split('HTTP/1.1 200').length - 1, openFor: () => closed && closed - answered };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a connection that waits for the next request', () => {
  it('is open longer than the client was told, so that one who sends just then is answered; a proxy’s for more than a minute', async () => {
    const [mine, proxys] = [await client(), await client(PROXY)];
    mine.socket.write(GET);
    proxys.socket.write(GET);
    await expect.poll(() => [mine.answers(), proxys.answers()]).toEqual([1, 1]);
    // Told: five seconds.
    await pause(6_000);
    mine.socket.write(GET);
    await expect.poll(() => mine.answers()).toBe(2);
    await expect.poll(() => mine.openFor(), { timeout: 20_000 }).toBeGreaterThan(15_000);
    proxys.socket.write(GET);
    await expect.poll(() => proxys.answers()).toBe(2);
  });
});

describe('a body nobody wants', () => {
  const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  const piece = Buffer.alloc(256 * 1024);

  it('is read to its end where it comes fast enough, so that the sender gets to read the answer, and the connection goes on', async () => {
    const { socket, answers, openFor } = await client();
    socket.write(head(28 * piece.length));
    for (let n = 0; n < 28; n += 1) {
      socket.write(piece);
      await pause(200);
    }
    socket.write(GET);
    await expect.poll(answers).toBe(2);
    expect(openFor()).toBeNull();
  });

  it('ends its connection where it drips', async () => {
    const { socket, answers, openFor } = await client();
    socket.write(head(1_000_000));
    const dripping = setInterval(() => socket.write('x'), 50);
    await expect.poll(answers).toBe(1);
    await expect.poll(openFor, { timeout: 10_000 }).not.toBeNull();
    clearInterval(dripping);
  });
});
