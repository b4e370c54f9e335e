import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { afterEach, describe, expect, it } from 'vitest';

import { serveHttp, serveHttps, serveTcp, type LoopbackServer } from '../../../test/support/loopback-server.js';

import { OutboundProbe, type ResolvedAddress } from './index.js';

const servers: LoopbackServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const KB = 1024;
const here = new OutboundProbe({ allowCidrs: ['127.0.0.1/32'] });

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = await serveHttp(listener);
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}
const ask = (url: string, more: object = {}, probe = here) =>
  probe.http({ url, method: 'GET', timeoutMs: 5_000, maxBytes: 256 * KB, ...more });

describe('a probe of a web server', () => {
  it('reads the body and the status', async () => {
    const url = await serve((request, response) => response.writeHead(418).end(`${request.method} ${request.headers['x-key']}`));
    expect(await ask(url, { headers: { 'X-Key': 'k' } })).toEqual({ status: 418, body: 'GET k' });
    expect(await ask(url, { method: 'POST' })).toMatchObject({ body: 'POST undefined' });
    expect(await ask(url, { method: 'HEAD' })).toEqual({ status: 418, body: '' });
  });

  it('reads 256 KB of a body of 10 MB and of one without end, and leaves', async () => {
    let gone = 0;
    const url = await serve((request, response) => {
      response.on('close', () => (gone += 1));
      if (request.url === '/large') return response.end(Buffer.alloc(10 * KB * KB, 'a'));
      const more = (): void => {
        while (!response.destroyed && response.write('b'.repeat(16 * KB)));
        if (!response.destroyed) response.once('drain', more);
      };
      return more();
    });
    for (const path of ['/large', '/endless']) {
      const answer = await ask(url + path);
      expect(answer).toMatchObject({ status: 200 });
      expect((answer as { body: string }).body).toHaveLength(256 * KB);
    }
    await expect.poll(() => gone).toBe(2);
  });

  it('decodes an unrequested content coding, up to the limit', async () => {
    const url = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      const bytes = request.url === '/bomb' ? gzipSync(Buffer.alloc(50 * KB * KB)) : gzipSync('hello');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(request.url === '/damaged' ? bytes.subarray(8) : bytes);
    });
    expect(await ask(`${url}/plain`)).toEqual({ status: 200, body: 'hello' });
    expect(((await ask(`${url}/bomb`)) as { body: string }).body).toHaveLength(256 * KB);
    expect(await ask(`${url}/damaged`)).toMatchObject({ status: 200 });
  });

  it('does not wait for a server that is silent, slow, or stops midway', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200).write('x');
      if (request.url === '/cut') response.destroy();
      else {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      }
    });
    expect(await ask(`${url}/silent`, { timeoutMs: 150 })).toEqual({ problem: 'timeout' });
    expect(await ask(`${url}/drip`, { timeoutMs: 150 })).toEqual({ problem: 'timeout' });
    expect(await ask(`${url}/cut`)).toHaveProperty('problem');
  });

  it('follows three redirects, checks each, and sends secrets to no other origin', async () => {
    let other = '';
    const url = await serve((request, response) => {
      const n = Number(request.url!.slice(1));
      if (request.url === '/internal') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (request.url === '/away') response.writeHead(302, { location: other }).end();
      else if (n > 0) response.writeHead(302, { location: `/${n - 1}` }).end();
      else response.end(String(request.headers['x-key']));
    });
    other = await serve((request, response) => response.end(String(request.headers['x-key'])));
    expect(await ask(`${url}/3`, { headers: { 'X-Key': 'k' } })).toEqual({ status: 200, body: 'k' });
    expect(await ask(`${url}/4`)).toEqual({ problem: 'redirects' });
    expect(await ask(`${url}/internal`)).toEqual({ problem: 'internal' });
    expect(await ask(`${url}/file`)).toEqual({ problem: 'url' });
    expect(await ask(`${url}/away`, { headers: { 'X-Key': 'k' } })).toEqual({ status: 200, body: 'undefined' });
  });

  it('never reaches an internal address, whatever its name says the second time', async () => {
    let asked = 0;
    const url = await serve((_request, response) => response.end(String((asked += 1))));
    expect(await ask(url, {}, new OutboundProbe())).toEqual({ problem: 'internal' });
    const answers: ResolvedAddress[][] = [[{ address: '93.184.216.34', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    const turning = new OutboundProbe({ resolver: async () => answers.shift() ?? [{ address: '127.0.0.1', family: 4 }] });
    expect(await turning.isInternal('turns.test')).toBe(false);
    expect(await ask(url.replace('127.0.0.1', 'turns.test'), {}, turning)).toEqual({ problem: 'internal' });
    const both = new OutboundProbe({
      resolver: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    });
    expect(await ask('http://both.test/', {}, both)).toEqual({ problem: 'internal' });
    expect(await both.isInternal('both.test')).toBe(true);
    expect(asked).toBe(0);
  });

  it.each([
    ['http://[::1]/', 'internal'],
    ['http://0x7f.1/', 'internal'],
    ['http://2130706433/', 'internal'],
    ['gopher://a.test/', 'url'],
    ['no address', 'url'],
  ])('refuses %s', async (url, problem) => {
    expect(await ask(url, {}, new OutboundProbe())).toEqual({ problem });
  });

  it('reports what went wrong', async () => {
    const server = await serveTcp((socket) => socket.destroy());
    servers.push(server);
    expect(await ask(`http://127.0.0.1:${server.port}/`)).toEqual({ problem: 'closed' });
    const closed = await serveTcp(() => undefined);
    await closed.close();
    expect(await ask(`http://127.0.0.1:${closed.port}/`)).toEqual({ problem: 'refused' });
    const none = new OutboundProbe({ resolver: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    expect(await ask('http://none.test/', {}, none)).toEqual({ problem: 'name' });
    const tls = await serveHttps((_request, response) => response.end());
    servers.push(tls);
    expect(await ask(`https://127.0.0.1:${tls.port}/`)).toEqual({ problem: 'tls' });
  });
});

describe('a probe of a port', () => {
  it('reports whether a port is open, but nothing about internal ones', async () => {
    const server = await serveTcp(() => undefined);
    servers.push(server);
    expect(await here.tcp('127.0.0.1', server.port, 2_000)).toEqual({});
    expect(await new OutboundProbe().tcp('127.0.0.1', server.port, 2_000)).toEqual({ problem: 'internal' });
    const closed = await serveTcp(() => undefined);
    await closed.close();
    expect(await here.tcp('127.0.0.1', closed.port, 2_000)).toEqual({ problem: 'refused' });
  });
});

describe('a probe of a certificate', () => {
  it('reports its expiry and why it is not trusted', async () => {
    const server = await serveHttps((_request, response) => response.end());
    servers.push(server);
    const answer = await here.tls('127.0.0.1', server.port, 5_000);
    expect(answer).toMatchObject({ validTo: expect.any(Date) as Date });
    expect((answer as { distrust: string }).distrust).toMatch(/^[A-Z_]+$/);
    expect(await new OutboundProbe().tls('127.0.0.1', server.port, 5_000)).toEqual({ problem: 'internal' });
  });

  it('does not wait for a server that speaks no TLS', async () => {
    const silent = await serveTcp(() => undefined);
    const plain = await serveTcp((socket) => void socket.end('220 mail.test ESMTP\r\n'));
    servers.push(silent, plain);
    expect(await here.tls('127.0.0.1', silent.port, 150)).toEqual({ problem: 'timeout' });
    expect(await here.tls('127.0.0.1', plain.port, 5_000)).toHaveProperty('problem');
  });
});
