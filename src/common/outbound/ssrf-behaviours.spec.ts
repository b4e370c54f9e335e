import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, serveHttp, serveTcp } from '../../../test/support/loopback-server.js';
import { SocketStub } from '../../../test/support/socket-stub.js';
import { ssrfCorpus, stubResolver } from '../../../test/support/ssrf-corpus.js';
import { OutboundHttp } from './outbound-http.js';

const PUBLIC = '93.184.216.34';
const MEGABYTE = 1024 * 1024;
const FAILED = { ok: false, code: 0, body: '', error: '请求失败', headers: {}, failure: 'FAILED' };
const INTERNAL = { ...FAILED, error: '禁止访问内网地址', failure: 'INTERNAL' };

const sockets = new SocketStub();
const servers: LoopbackServer[] = [];
beforeAll(() => void sockets.install());
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  sockets.reset();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => sockets.restore());

/** Starts a server that `public.test` leads to. */
async function publicServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = await serveHttp(listener);
  servers.push(server);
  sockets.route(PUBLIC, server.port);
  return server;
}

function client(answers: string[][] = [[PUBLIC]]): OutboundHttp {
  return new OutboundHttp({ resolver: stubResolver({ 'public.test': { sequence: answers } }).resolver });
}

const behaviours: Record<string, () => Promise<void>> = {
  'beh-timeout-connect': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    sockets.route(PUBLIC, 'silent');
    let ended = false;
    const answer = client()
      .request({ url: 'http://public.test/' })
      .finally(() => (ended = true));
    while (sockets.attempts.length === 0) await turn();
    vi.advanceTimersByTime(9_999);
    await turn();
    expect(ended).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await answer).toEqual(FAILED);
  },

  'beh-timeout-body': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const received = new Promise<http.ServerResponse>(
      (resolve) => void publicServer((_request, response) => resolve(response.writeHead(200))),
    );
    while (servers.length === 0) await turn();
    let ended = false;
    const answer = client()
      .request({ url: 'http://public.test/' })
      .finally(() => (ended = true));
    const response = await received;
    for (const byte of ['a', 'b']) {
      response.write(byte);
      vi.advanceTimersByTime(5_000);
      await turn();
    }
    vi.advanceTimersByTime(4_999);
    await turn();
    expect(ended).toBe(false);
    const closed = once(response, 'close');
    vi.advanceTimersByTime(1);
    expect(await answer).toEqual(FAILED);
    await closed;
  },

  'beh-size': async () => {
    const sent = new Promise<number>((resolve) => {
      void publicServer((_request, response) => {
        const piece = Buffer.alloc(64 * 1024);
        const pour = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', pour).once('close', () => resolve(response.socket?.bytesWritten ?? 0));
        pour();
      });
    });
    while (servers.length === 0) await turn();
    const before = process.memoryUsage().arrayBuffers;
    expect(await client().request({ url: 'http://public.test/' })).toEqual(FAILED);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * MEGABYTE);
    expect(await sent).toBeLessThan(40 * MEGABYTE);
  },

  'beh-gzip-bomb': async () => {
    // Members may follow each other in one gzip file: 9 MB on the wire, more than 9 GB when unpacked.
    const member = gzipSync(Buffer.alloc(100 * MEGABYTE));
    const bomb = Buffer.concat(Array<Buffer>(Math.floor((9 * MEGABYTE) / member.length)).fill(member));
    await publicServer((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const before = process.memoryUsage().arrayBuffers;
    expect(await client().request({ url: 'http://public.test/' })).toEqual(FAILED);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * MEGABYTE);
  },

  'beh-headers-huge': async () => {
    await publicServer((_request, response) => {
      for (let i = 0; i < 1024; i++) response.setHeader(`x-${i}`, 'x'.repeat(1024));
      response.end('never seen');
    });
    expect(await client().request({ url: 'http://public.test/' })).toEqual(FAILED);
  },

  'beh-proxy-env': async () => {
    const proxied = vi.fn<RequestListener>((_request, response) => void response.end('proxy'));
    const proxy = await serveHttp(proxied);
    servers.push(proxy);
    sockets.route('127.0.0.1', proxy.port);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    await publicServer((_request, response) => response.end('target'));
    expect(await client().request({ url: 'http://public.test/' })).toMatchObject({ ok: true, body: 'target' });
    expect(await client([['10.0.0.1']]).request({ url: 'http://public.test/' })).toEqual(INTERNAL);
    expect(sockets.attempts).toEqual([PUBLIC]);
    expect(proxied).not.toHaveBeenCalled();
  },

  'beh-keepalive': async () => {
    await publicServer((_request, response) => response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=60' }).end('ok'));
    const outbound = client([[PUBLIC], ['10.0.0.1']]);
    expect(await outbound.request({ url: 'http://public.test/' })).toMatchObject({ ok: true, body: 'ok' });
    expect(await outbound.request({ url: 'http://public.test/' })).toEqual(INTERNAL);
    expect(sockets.attempts).toEqual([PUBLIC]);
  },

  'beh-agent-shared': async () => {
    const inner = await serveHttp((_request, response) => response.end('inner'));
    servers.push(inner);
    sockets.route('127.0.0.1', inner.port);
    const agent = new http.Agent({ keepAlive: true });
    const lookup = (_name: string, _options: object, done: (error: null, address: string, family: number) => void): void =>
      done(null, '127.0.0.1', 4);
    const own = {
      agent,
      dispatcher: agent,
      lookup,
      createConnection: () => undefined,
      socketPath: '/tmp/s',
      allowCidrs: ['0.0.0.0/0'],
      allow_private: true,
      host: '127.0.0.1',
      insecure: true,
    };
    expect(await client().request({ url: 'http://127.0.0.1/', ...own } as never)).toEqual(INTERNAL);
    expect(await client().request({ url: 'http://127.0.0.1/', headers: own as never })).toEqual(FAILED);
    expect(await client().request({ url: 'http://public.test/', ...own } as never)).toEqual(FAILED);
    expect(sockets.attempts).toEqual([PUBLIC]);
  },

  'beh-fetch': async () => {
    const inner = await serveHttp((_request, response) => response.end('inner'));
    servers.push(inner);
    sockets.route('127.0.0.1', inner.port);
    const url = `http://127.0.0.1:${inner.port}/`;
    expect(await (await fetch(url, { headers: { connection: 'close' } })).text()).toBe('inner');
    expect(await client().request({ url })).toEqual(INTERNAL);
    expect(readFileSync(new URL('../../../docs/outbound-http.md', import.meta.url), 'utf8')).toMatch(/fetch.*net\.connect/s);
  },

  'beh-error-text': async () => {
    const open = await serveHttp((_request, response) => response.end('inner secret'));
    const garbage = await serveTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const hangUp = await serveTcp((socket) => socket.destroy());
    servers.push(open, garbage, hangUp);
    sockets.route('127.0.0.1', open.port);
    const closedPort = 1;
    for (const port of [open.port, closedPort]) {
      expect(await client().request({ url: `http://127.0.0.1:${port}/` })).toEqual(INTERNAL);
    }
    sockets.route(`${PUBLIC} 22`, garbage.port);
    sockets.route(`${PUBLIC} 23`, hangUp.port);
    for (const place of [
      'http://public.test:22',
      'http://public.test:23',
      'http://public.test:24',
      'https://public.test:22',
      'https://public.test:24',
    ]) {
      expect(await client().request({ url: place }), place).toEqual(FAILED);
    }
    await publicServer((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/', 'x-inner': '1' }).end('secret'));
    expect(await client().request({ url: 'http://public.test/' })).toEqual(INTERNAL);
  },

  'beh-self': async () => {
    const panel = await publicServer((_request, response) => response.end('panel'));
    expect(await client().request({ url: 'http://public.test/' })).toMatchObject({ ok: true, body: 'panel' });
    expect(await client([['127.0.0.1']]).request({ url: `http://public.test:${panel.port}/` })).toEqual(INTERNAL);
    expect(await client([['192.168.1.2']]).request({ url: 'http://public.test/' })).toEqual(INTERNAL);
    expect(sockets.attempts).toEqual([PUBLIC]);
  },

  'beh-post': async () => {
    let bytes = 0;
    const inner = await serveTcp((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
    servers.push(inner);
    for (const address of ['127.0.0.1', '169.254.169.254', '10.0.0.1', '10.0.0.5', '0.0.0.0', '::1']) sockets.route(address, inner.port);
    for (const target of ssrfCorpus.targets.filter(({ expect: wanted }) => wanted === 'refuse')) {
      const outbound = new OutboundHttp({ resolver: stubResolver(target.needs_dns).resolver });
      const twin = new OutboundHttp({ resolver: stubResolver(target.needs_dns).resolver });
      expect(await outbound.request({ url: target.url, method: 'POST', body: { secret: 1 } }), target.id).toEqual(
        await twin.request({ url: target.url }),
      );
    }
    expect([sockets.attempts, bytes]).toEqual([[], 0]);
  },
};

it('covers every behaviour of the corpus', () => {
  expect(Object.keys(behaviours)).toEqual(ssrfCorpus.behaviours.map(({ id }) => id));
});

describe('behaviours', () => {
  it.each(ssrfCorpus.behaviours)('$id: $then', ({ id }) => behaviours[id]!());
});
