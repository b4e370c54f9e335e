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

/** Client that reports how long its connection stayed open after the first answer, in milliseconds; null while it is open. */
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

describe('an idle keep-alive connection', () => {
  it('stays open longer than announced, so that a late request is answered; one of a proxy for over a minute', async () => {
    const [mine, proxys] = [await client(), await client(PROXY)];
    mine.socket.write(GET);
    proxys.socket.write(GET);
    await expect.poll(() => [mine.answers(), proxys.answers()]).toEqual([1, 1]);
    // Announced: five seconds.
    await pause(6_000);
    mine.socket.write(GET);
    await expect.poll(() => mine.answers()).toBe(2);
    await expect.poll(() => mine.openFor(), { timeout: 20_000 }).toBeGreaterThan(15_000);
    proxys.socket.write(GET);
    await expect.poll(() => proxys.answers()).toBe(2);
  });
});

describe('an unread request body', () => {
  const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  const piece = Buffer.alloc(256 * 1024);

  it('is discarded if it arrives fast enough, so that the client reads the answer and reuses the connection', async () => {
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

  it('closes the connection if it arrives too slowly', async () => {
    const { socket, answers, openFor } = await client();
    socket.write(head(1_000_000));
    const dripping = setInterval(() => socket.write('x'), 50);
    await expect.poll(answers).toBe(1);
    await expect.poll(openFor, { timeout: 10_000 }).not.toBeNull();
    clearInterval(dripping);
  });
});
