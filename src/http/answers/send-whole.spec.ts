import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { serveHttp, type LoopbackServer } from '../../../test/support/loopback-server.js';
import { rawAnswer, type RawAnswer } from '../../../test/support/raw-answer.js';

import { sendWhole } from './send-whole.js';

const PAGE = '<p>one row of a list</p>'.repeat(500);
let server: LoopbackServer | undefined;
afterEach(() => server?.close());

async function ask(
  headers: Record<string, string>,
  { body = PAGE as string | Buffer, type = 'text/html; charset=utf-8', method = 'GET', sent = {} as Record<string, string> } = {},
): Promise<RawAnswer> {
  await server?.close();
  server = await serveHttp((_req, res) => sendWhole(res, 200, { 'Content-Type': type, ...sent }, body));
  return rawAnswer(`http://127.0.0.1:${server.port}`, '/', headers, method);
}

describe('sendWhole', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
  ])('compresses for a client that accepts %s', async (accepted, coding) => {
    const { headers, text, bytes } = await ask({ 'accept-encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', 'content-type': 'text/html; charset=utf-8' });
    expect(text).toBe(PAGE);
    expect(bytes.length).toBeLessThan(PAGE.length / 10);
  });

  it.each(['application/atom+xml; charset=utf-8', 'application/feed+json; charset=utf-8', 'application/json', 'image/svg+xml', 'text/css'])(
    'compresses %s',
    async (type) => {
      expect((await ask({ 'accept-encoding': 'br' }, { type })).headers).toMatchObject({ 'content-encoding': 'br', 'content-type': type });
    },
  );

  it.each([
    ['sends no Accept-Encoding', {}],
    ['accepts identity only', { 'accept-encoding': 'identity' }],
    ['accepts only unsupported encodings', { 'accept-encoding': 'deflate, zstd' }],
    ['rejects compression', { 'accept-encoding': 'br;q=0, gzip;q=0' }],
  ])('does not compress for a client that %s', async (_what, asked: Record<string, string>) => {
    const { headers, text } = await ask(asked);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers).toMatchObject({ 'content-length': String(PAGE.length), vary: 'Accept-Encoding' });
    expect(text).toBe(PAGE);
  });

  it('keeps an existing Vary header', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' }, { sent: { Vary: 'Cookie' } });
    expect(headers.vary).toBe('Cookie, Accept-Encoding');
  });

  it('does not compress short or non-text content', async () => {
    const short = await ask({ 'accept-encoding': 'br' }, { body: 'a'.repeat(2_047) });
    const picture = await ask({ 'accept-encoding': 'br' }, { body: Buffer.alloc(10_000), type: 'image/png' });
    for (const [answer, length] of [
      [short, 2_047],
      [picture, 10_000],
    ] as const) {
      expect(answer.headers).toMatchObject({ 'content-length': String(length) });
      expect(answer.headers.vary ?? answer.headers['content-encoding']).toBeUndefined();
    }
  });

  it('answers HEAD with the headers of GET', async () => {
    const { headers, bytes } = await ask({ 'accept-encoding': 'br' }, { method: 'HEAD' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(bytes.length).toBe(0);
  });

  it('does not compress cross-site requests with cookies', async () => {
    const from = async (site: string, cookie?: string): Promise<string | undefined> => {
      const { headers } = await ask({ 'accept-encoding': 'br', 'sec-fetch-site': site, ...(cookie ? { cookie } : {}) });
      return headers['content-encoding'];
    };
    for (const site of ['cross-site', 'same-site', 'whatever']) expect([site, await from(site, 'user_token=x')]).toEqual([site, undefined]);
    for (const site of ['same-origin', 'none']) expect([site, await from(site, 'user_token=x')]).toEqual([site, 'br']);
    expect(await from('cross-site')).toBe('br');
  });

  it('batches short answers of pipelined requests, reports headers as sent, and ends each once', async () => {
    const seen: unknown[] = [];
    server = await serveHttp((req, res) => {
      res.on('finish', () => seen.push(`sent ${String(req.url)}`));
      sendWhole(res, 200, { 'Content-Type': 'text/plain' }, 'whole');
      seen.push(`began ${String(req.url)}`, res.headersSent);
      // A handler that does not wait ends the answer.
      if (req.url === '/hasty') res.end();
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(['/1', '/2', '/hasty'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    let text = '';
    for await (const part of socket) if ((text += String(part)).split('HTTP/1.1 200 OK').length > 3) break;
    expect(seen.slice(0, 6)).toEqual(['began /1', true, 'began /2', true, 'began /hasty', true]);
    expect(text.match(/whole/g)).toHaveLength(2);
  });

  it('stops silently when the client disconnects', async () => {
    let answer!: ServerResponse;
    server = await serveHttp((_req, res) => {
      answer = res;
      // Larger than the buffers of a connection, and incompressible.
      sendWhole(res, 200, { 'Content-Type': 'text/plain' }, randomBytes(8_000_000));
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await expect.poll(() => answer.destroyed).toBe(true);
  });
});
