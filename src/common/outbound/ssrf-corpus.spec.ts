import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, serveHttp, serveHttps, serveTcp, TEST_CERTIFICATE } from '../../../test/support/loopback-server.js';
import { SocketStub } from '../../../test/support/socket-stub.js';
import { ssrfCorpus, type SsrfRedirect, type SsrfTarget, stubResolver } from '../../../test/support/ssrf-corpus.js';
import { OutboundHttp } from './outbound-http.js';

const PUBLIC = '93.184.216.34';
const OTHER = '93.184.216.35';
const METHODS = ['GET', 'POST'] as const;

const sockets = new SocketStub();
beforeAll(() => void sockets.install());
afterEach(() => {
  sockets.reset();
  vi.restoreAllMocks();
});
afterAll(() => sockets.restore());

/** A call that was refused: the fixed text of plugins, and the code of the panel. */
const REFUSALS = {
  URL: { error: 'URL 无效', failure: 'URL' },
  SCHEME: { error: '仅允许 http/https URL', failure: 'SCHEME' },
  INTERNAL: { error: '禁止访问内网地址', failure: 'INTERNAL' },
  FAILED: { error: '请求失败', failure: 'FAILED' },
} as const;
type Refusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** What a refused target gets. */
function refusalOf({ parsed, needs_dns: names }: SsrfTarget): Refusal {
  if (parsed === 'invalid URL') return REFUSALS.URL;
  if (!/^https?:$/.test(parsed.protocol)) return REFUSALS.SCHEME;
  const answers = names?.[parsed.hostname];
  return Array.isArray(answers) && answers.length === 0 ? REFUSALS.FAILED : REFUSALS.INTERNAL;
}

/** The public addresses an allowed target may be reached at. */
function addressesOf({ parsed, needs_dns: names }: SsrfTarget): string[] {
  const host = (parsed as { hostname: string }).hostname.replace(/^\[|\]$/g, '');
  const answers = names ? names[host] : [host];
  return Array.isArray(answers) ? answers : (answers as { sequence: string[][] }).sequence[0]!;
}

it('has all of its entries', () => {
  const { targets, redirects } = ssrfCorpus;
  expect([targets.length, redirects.length]).toEqual([253, 20]);
  expect(targets.filter((target) => target.expect === 'refuse')).toHaveLength(208);
});

describe.each(METHODS)('targets by %s', (method) => {
  it.each(ssrfCorpus.targets)('$id $expect', async (target) => {
    const { resolver, asked } = stubResolver(target.needs_dns);
    const answer = await new OutboundHttp({ resolver }).request({ url: target.url, method, body: 'a=1' });
    expect(asked.length).toBeLessThanOrEqual(1);
    if (target.expect === 'refuse') {
      expect(sockets.attempts).toEqual([]);
      expect(answer).toEqual({ ok: false, code: 0, body: '', headers: {}, ...refusalOf(target) });
    } else {
      expect([...sockets.attempts].sort()).toEqual(addressesOf(target).sort());
      expect(answer.error).toBe('请求失败');
    }
  });
});

describe('line breaks in the URL', () => {
  it.each(ssrfCorpus.targets.filter((target) => target.class === 'header-injection'))('$id add no header', async (target) => {
    let received = '';
    const server = await serveTcp((socket) =>
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    sockets.route(PUBLIC, server.port);
    const answer = await new OutboundHttp({ resolver: stubResolver(target.needs_dns).resolver }).request({ url: target.url });
    await server.close();
    expect(answer.ok).toBe(true);
    expect(received.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1);
    expect(received).not.toMatch(/^X-Injected/m);
  });
});

describe('redirects', () => {
  let redirect: SsrfRedirect;
  let plain: LoopbackServer;
  let secure: LoopbackServer;
  const seen: { host: string; path: string; headers: IncomingHttpHeaders }[] = [];

  beforeAll(async () => {
    plain = await serveHttp((request, response) => {
      seen.push({ host: request.headers.host!, path: request.url!, headers: request.headers });
      if (request.url !== '/r') return response.end('ok');
      return response.writeHead(redirect.status, redirect.location ? { location: redirect.location } : {}).end('moved');
    });
    secure = await serveHttps((request, response) => {
      seen.push({ host: request.headers.host!, path: request.url!, headers: request.headers });
      response.end('ok');
    });
  });
  afterEach(() => void (seen.length = 0));
  afterAll(() => Promise.all([plain.close(), secure.close()]));

  function refusalOfRedirect(id: string): Refusal {
    if (['redir-file', 'redir-ftp', 'redir-gopher'].includes(id)) return REFUSALS.SCHEME;
    return id === 'redir-loop' ? REFUSALS.FAILED : REFUSALS.INTERNAL;
  }

  describe.each(METHODS)('by %s', (method) => {
    it.each(ssrfCorpus.redirects)('$id $expect', async (entry) => {
      redirect = entry;
      sockets.route(PUBLIC, plain.port);
      sockets.route(OTHER, secure.port);
      const request = https.request;
      vi.spyOn(https, 'request').mockImplementation(((options: https.RequestOptions) =>
        request({ ...options, ca: TEST_CERTIFICATE })) as typeof request);
      const { resolver } = stubResolver({ 'public.test': [PUBLIC], ...entry.needs_dns });
      const answer = await new OutboundHttp({ resolver }).request({
        url: entry.start,
        method,
        body: 'a=1',
        headers: { Authorization: 'Bearer s3cret', Cookie: 'id=s3cret', 'X-Api-Key': 's3cret', Accept: 'text/plain' },
      });

      if (entry.expect === 'refuse') {
        expect(answer).toEqual({ ok: false, code: 0, body: '', headers: {}, ...refusalOfRedirect(entry.id) });
        expect(new Set(sockets.attempts)).toEqual(new Set([PUBLIC]));
        expect(seen).toHaveLength(entry.id === 'redir-loop' ? 4 : 1);
        return;
      }
      if (entry.location === '') {
        expect(answer).toMatchObject({ ok: false, code: 302, body: 'moved', error: 'HTTP 302' });
        return;
      }
      const target = new URL(entry.location, entry.start);
      expect(answer).toMatchObject({ ok: true, code: 200, body: 'ok', error: '' });
      expect(seen[1]).toMatchObject({ host: target.host, path: target.pathname, headers: { accept: 'text/plain' } });
      const secrets = Object.values(seen[1]!.headers).filter((value) => String(value).includes('s3cret'));
      expect(secrets).toHaveLength(target.host === 'public.test' ? 3 : 0);
      expect(sockets.attempts).toEqual([PUBLIC, target.host === 'public.test' ? PUBLIC : OTHER]);
    });
  });
});
