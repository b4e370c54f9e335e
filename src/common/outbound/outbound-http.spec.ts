import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, serveHttp, serveHttps, serveTcp, TEST_CERTIFICATE } from '../../../test/support/loopback-server.js';
import { OUTBOUND_OPTIONS, OutboundHttp, type OutboundBody, type OutboundHeaders, type OutboundRequest } from './index.js';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Names of these tests all lead to this machine, which an administrator has allowed. */
const outbound = new OutboundHttp({ allowCidrs: ['127.0.0.1/32'], resolver: async () => [{ address: '127.0.0.1', family: 4 }] });

async function urlOf(server: Promise<LoopbackServer>, scheme = 'http', host = '127.0.0.1'): Promise<string> {
  servers.push(await server);
  return `${scheme}://${host}:${(await server).port}`;
}

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that writes down what it gets and answers by `answers`, by path. */
async function recorder(answers: Record<string, RequestListener> = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await urlOf(
    serveHttp((request, response) => {
      let body = '';
      request.on('data', (bytes: Buffer) => (body += bytes.toString()));
      request.on('end', () => {
        received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
        const answer = answers[request.url!];
        if (answer) answer(request, response);
        else response.end('ok');
      });
    }),
  );
  return { url, received };
}

const redirectTo =
  (status: number, location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();

describe('what is sent', () => {
  it.each<[string, OutboundBody, OutboundHeaders | undefined, string, string]>([
    ['an object', { a: 1, b: '中' }, undefined, '{"a":1,"b":"中"}', 'application/json'],
    ['an array', [1, 2], undefined, '[1,2]', 'application/json'],
    ['a string', 'a=1&b=2', undefined, 'a=1&b=2', 'application/x-www-form-urlencoded'],
    ['form fields', new URLSearchParams({ a: '1 2' }), undefined, 'a=1+2', 'application/x-www-form-urlencoded'],
    ['bytes', Buffer.from('raw'), undefined, 'raw', 'application/octet-stream'],
    ['a string of a type', '<x/>', { 'content-type': 'text/xml' }, '<x/>', 'text/xml'],
    ['an object of a type', { a: 1 }, ['Content-Type: application/vnd.api+json'], '{"a":1}', 'application/vnd.api+json'],
    ['nothing', '', undefined, '', 'application/x-www-form-urlencoded'],
  ])('%s', async (_name, data, headers, body, type) => {
    const { url, received } = await recorder();
    expect((await outbound.request({ url, method: 'POST', headers, body: data })).ok).toBe(true);
    expect(received).toMatchObject([
      { method: 'POST', body, headers: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) } },
    ]);
  });

  it('headers as a map or as lines; repeated ones joined', async () => {
    const { url, received } = await recorder();
    await outbound.request({ url, headers: { 'X-One': ' 1 ', Accept: 'text/plain' } });
    await outbound.request({ url, headers: ['X-One: a:b', 'x-one:c', 'Cookie: a=1', 'Cookie: b=2', 'X-Empty:', 'User-Agent: shop'] });
    expect(received[0]!.headers).toMatchObject({ 'x-one': '1', accept: 'text/plain', 'user-agent': expect.stringMatching(/^svc-panel\//) });
    expect(received[1]!.headers).toMatchObject({ 'x-one': 'a:b, c', cookie: 'a=1; b=2', 'x-empty': '', 'user-agent': 'shop' });
  });

  it('never a Host, a length or a connection header of the caller', async () => {
    const { url, received } = await recorder();
    const headers = {
      host: 'other.test',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'keep-alive',
      TE: 'trailers',
      Upgrade: 'h2c',
      Expect: '100-continue',
      'Proxy-Authorization': 'Basic x',
      'Keep-Alive': '5',
    };
    await outbound.request({ url, method: 'POST', headers, body: 'abc' });
    expect(received[0]).toMatchObject({ body: 'abc', headers: { host: new URL(url).host, 'content-length': '3', connection: 'close' } });
    expect(Object.keys(received[0]!.headers).sort()).toEqual([
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ]);
  });

  it.each<[string, unknown]>([
    ['a line break in a value', { 'X-A': 'a\r\nX-B: b' }],
    ['a bare line feed', { 'X-A': 'a\nb' }],
    ['a break at the end', ['X-A: a\r\n']],
    ['a NUL', { 'X-A': 'a\0' }],
    ['a break in a name', { 'X-A\r\nX-B': 'a' }],
    ['a break in a dropped header', { Host: 'a\r\nX-B: b' }],
    ['an empty name', [': a']],
    ['a line without a colon', ['X-A']],
    ['no text', { 'X-A': { toString: () => 'a' } }],
    ['text outside Latin-1', { 'X-A': '中' }],
    ['one bare line', 'X-A: a'],
  ])('nothing at all with %s in the headers', async (_name, headers) => {
    const { url, received } = await recorder();
    expect(await outbound.request({ url, headers: headers as OutboundHeaders })).toMatchObject({ ok: false, code: 0, error: '请求失败' });
    expect(received).toEqual([]);
  });

  it('credentials of the URL as Basic authorization, to that origin only', async () => {
    const other = await recorder();
    const { url, received } = await recorder({
      '/': redirectTo(302, '/same'),
      '/same': redirectTo(302, other.url.replace('//', '//eve:x@')),
    });
    await outbound.request({ url: url.replace('//', '//us%40er:p%3Aw@') });
    const basic = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`;
    expect(received.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
    expect(other.received[0]!.headers.authorization).toBeUndefined();
  });

  it('no body with GET, and no unknown method', async () => {
    const { url, received } = await recorder();
    await outbound.request({ url, body: 'x' });
    for (const method of ['CONNECT', 'TRACE', 'get', 'GET / HTTP/1.1\r\nX: 1']) {
      expect((await outbound.request({ url, method } as unknown as OutboundRequest)).error).toBe('请求失败');
    }
    expect(received).toMatchObject([{ method: 'GET', body: '' }]);
  });
});

describe('redirects', () => {
  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [301, 'PUT', 'PUT', 'abc'],
    [302, 'DELETE', 'DELETE', 'abc'],
    [307, 'POST', 'POST', 'abc'],
    [308, 'POST', 'POST', 'abc'],
  ] as const)('%i after %s goes on as %s', async (status, method, next, body) => {
    const { url, received } = await recorder({ '/a': redirectTo(status, '/b') });
    await outbound.request({ url: `${url}/a`, method, body: 'abc', headers: { 'X-Key': 'k' } });
    expect(received[1]).toMatchObject({ method: next, url: '/b', body, headers: { 'x-key': 'k' } });
    expect('content-type' in received[1]!.headers).toBe(body !== '');
  });

  it('leave the secrets behind for good once another origin was on the way', async () => {
    const { url, received } = await recorder({ '/a': (_request, response) => redirectTo(307, `${other.url}/back`)(_request, response) });
    const other = await recorder({ '/back': redirectTo(307, `${url}/b`) });
    const headers = { Authorization: 'x', Cookie: 'y', 'X-Key': 'z', Accept: 'text/plain' };
    await outbound.request({ url: `${url}/a`, method: 'POST', headers, body: { n: 1 } });
    for (const { headers, body } of [other.received[0]!, received[1]!]) {
      expect(body).toBe('{"n":1}');
      expect(headers).toMatchObject({ accept: 'text/plain', 'content-type': 'application/json' });
      expect(['authorization', 'cookie', 'x-key'].filter((name) => name in headers)).toEqual([]);
    }
  });

  it('are followed three times, no more', async () => {
    const { url, received } = await recorder({
      '/4': redirectTo(302, '/3'),
      '/3': redirectTo(302, '/2'),
      '/2': redirectTo(302, '/1'),
      '/1': redirectTo(302, '/0'),
    });
    expect(await outbound.request({ url: `${url}/3` })).toMatchObject({ ok: true, body: 'ok' });
    expect(await outbound.request({ url: `${url}/4` })).toMatchObject({ ok: false, code: 0, error: '请求失败' });
    expect(received).toHaveLength(8);
    expect(await outbound.request({ url: `${url}/4`, maxRedirects: 0 })).toMatchObject({
      code: 302,
      error: 'HTTP 302',
      headers: { location: '/3' },
    });
  });

  it('to a place that is no URL', async () => {
    const { url } = await recorder({ '/a': redirectTo(302, 'http://[') });
    expect(await outbound.request({ url: `${url}/a` })).toMatchObject({ code: 0, error: 'URL 无效' });
  });
});

describe('what comes back', () => {
  const text = '你好'.repeat(1000);

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['utf-8', Buffer.from(text)],
  ])('is decoded: %s', async (coding, bytes) => {
    const { url } = await recorder({
      '/': (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    });
    expect((await outbound.request({ url })).body).toBe(text);
    expect(await outbound.request({ url, method: 'HEAD' })).toMatchObject({ ok: true, body: '' });
  });

  it.each([
    ['cut off', 'gzip', gzipSync(text).subarray(0, -9)],
    ['damaged', 'br', Buffer.from('not brotli at all')],
    ['wrapped too often', 'gzip, gzip, gzip, gzip', gzipSync('x')],
  ])('fails when it is %s', async (_name, coding, bytes) => {
    const { url } = await recorder({
      '/': (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    });
    expect(await outbound.request({ url })).toEqual({ ok: false, code: 0, body: '', error: '请求失败', headers: {}, failure: 'FAILED' });
  });

  it('fails when the connection ends before the body does', async () => {
    const url = await urlOf(
      serveTcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'))),
    );
    expect(await outbound.request({ url })).toMatchObject({ ok: false, code: 0, body: '' });
  });

  it('fails when the server changes the protocol', async () => {
    const url = await urlOf(
      serveTcp((socket) => socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'))),
    );
    expect(await outbound.request({ url, timeoutMs: 120_000 })).toMatchObject({ ok: false, code: 0, error: '请求失败' });
  });

  it('reads the charset of the answer', async () => {
    const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
    const send =
      (type: string, bytes: Buffer): RequestListener =>
      (_request, response) =>
        void response.writeHead(200, { 'content-type': type }).end(bytes);
    const { url } = await recorder({
      '/gbk': send('text/html; charset="GBK"', gbk),
      '/odd': send('text/html; charset=nonsense', Buffer.from('你好')),
    });
    expect((await outbound.request({ url: `${url}/gbk` })).body).toBe('你好');
    expect((await outbound.request({ url: `${url}/odd` })).body).toBe('你好');
  });

  it('carries status, body and headers of a failure', async () => {
    const { url } = await recorder({
      '/': (_request, response) => void response.writeHead(404, { 'X-A': '1', 'Set-Cookie': ['a=1', 'b=2'] }).end('gone'),
    });
    expect(await outbound.request({ url })).toMatchObject({
      ok: false,
      code: 404,
      body: 'gone',
      error: 'HTTP 404',
      headers: { 'x-a': '1', 'set-cookie': 'a=1\nb=2' },
    });
  });

  it('may be exactly as large as the limit, on the wire and decoded', async () => {
    const { url } = await recorder({
      '/plain': (_request, response) => void response.end('x'.repeat(1000)),
      '/gzip': (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1000))),
    });
    for (const path of ['/plain', '/gzip']) {
      expect((await outbound.request({ url: url + path, maxBytes: 1000 })).body).toHaveLength(1000);
      expect(await outbound.request({ url: url + path, maxBytes: 999 })).toMatchObject({ ok: false, code: 0, error: '请求失败' });
    }
  });
});

describe('names and certificates', () => {
  const trusting = (): void => {
    const request = https.request;
    vi.spyOn(https, 'request').mockImplementation(((options: https.RequestOptions) =>
      request({ ...options, ca: TEST_CERTIFICATE })) as typeof request);
  };

  it('checks the certificate against the name that was asked for', async () => {
    const url = await urlOf(
      serveHttps((request, response) => response.end((request.socket as TLSSocket).servername)),
      'https',
      'other.test',
    );
    expect((await outbound.request({ url })).error).toBe('请求失败');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect((await outbound.request({ url })).error).toBe('请求失败');
    vi.unstubAllEnvs();
    trusting();
    expect((await outbound.request({ url })).body).toBe('other.test');
    expect((await outbound.request({ url: url.replace('other.test', 'other.test.') })).body).toBe('other.test');
    expect((await outbound.request({ url: url.replace('other.test', 'third.test') })).error).toBe('请求失败');
    expect((await outbound.request({ url: url.replace('other.test', '127.0.0.1') })).error).toBe('请求失败');
  });

  it('ends a name lookup with the deadline and opens no connection after it', async () => {
    const request = vi.spyOn(http, 'request');
    let answer!: (addresses: { address: string; family: number }[]) => void;
    const slow = new OutboundHttp({ allowCidrs: ['127.0.0.1/32'], resolver: () => new Promise((resolve) => (answer = resolve)) });
    expect((await slow.request({ url: 'http://slow.test/', timeoutMs: 20 })).error).toBe('请求失败');
    answer([{ address: '127.0.0.1', family: 4 }]);
    await new Promise(setImmediate);
    expect(request).not.toHaveBeenCalled();
  });

  it('refuses answers that are no addresses, and names without any', async () => {
    const answering = (...addresses: string[]): OutboundHttp =>
      new OutboundHttp({ resolver: async () => addresses.map((address) => ({ address, family: 4 })) });
    expect((await answering('8.8').request({ url: 'http://a.test/' })).error).toBe('禁止访问内网地址');
    expect((await answering('fe80::1%eth0').request({ url: 'http://a.test/' })).error).toBe('禁止访问内网地址');
    expect((await answering().request({ url: 'http://a.test/' })).error).toBe('请求失败');
  });

  it('asks the operating system where no resolver is given', async () => {
    const { url } = await recorder();
    const named = url.replace('127.0.0.1', 'localhost');
    expect((await new OutboundHttp().request({ url: named })).error).toBe('禁止访问内网地址');
    expect((await new OutboundHttp({ allowCidrs: ['127.0.0.0/8', '::1/128'] }).request({ url: named })).body).toBe('ok');
  });
});

describe('OutboundHttp', () => {
  it('never rejects, whatever it is given', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const url of [undefined, null, 7, {}, []]) expect((await outbound.request({ url: url as never })).error).toBe('URL 无效');
    for (const data of [cycle, { n: 1n }])
      expect((await outbound.request({ url: 'http://a.test/', method: 'POST', body: data })).error).toBe('请求失败');
  });

  it('is injectable, with or without options', async () => {
    const plain = await Test.createTestingModule({ providers: [OutboundHttp] }).compile();
    expect((await plain.get(OutboundHttp).request({ url: 'http://127.0.0.1/' })).error).toBe('禁止访问内网地址');
    const { url } = await recorder();
    const set = await Test.createTestingModule({
      providers: [OutboundHttp, { provide: OUTBOUND_OPTIONS, useValue: { allowCidrs: ['127.0.0.1/32'] } }],
    }).compile();
    expect((await set.get(OutboundHttp).request({ url })).body).toBe('ok');
  });

  it('keeps calls apart: many at once, each with its own answer', async () => {
    const url = await urlOf(serveHttp((request, response) => response.end(request.url)));
    const answers = await Promise.all(Array.from({ length: 50 }, (_value, n) => outbound.request({ url: `${url}/${n}` })));
    expect(answers.map(({ body }) => body)).toEqual(answers.map((_answer, n) => `/${n}`));
  });
});
