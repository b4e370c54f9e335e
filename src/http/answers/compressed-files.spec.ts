import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { serveHttp, type LoopbackServer } from '../../../test/support/loopback-server.js';
import { rawAnswer, type RawAnswer } from '../../../test/support/raw-answer.js';

import { PACKAGE_ROOT } from '../../common/index.js';

import { CompressedFiles, type CompressibleFile } from './compressed-files.js';

const STYLE = '.row { color: red }\n'.repeat(500);
let file: CompressibleFile;
let reads: number;
let server: LoopbackServer;
beforeEach(async () => {
  reads = 0;
  file = { name: 'site.css', version: 'v1', read: async () => (reads++, Buffer.from(STYLE)) };
  const files = new CompressedFiles();
  server = await serveHttp(async (req, res) => {
    res.setHeader('Cache-Control', 'public');
    if (!(await files.send(req, res, file))) res.end('as it is');
  });
});
afterEach(() => server.close());

const ask = (headers: Record<string, string>, method = 'GET'): Promise<RawAnswer> =>
  rawAnswer(`http://127.0.0.1:${server.port}`, '/', headers, method);

describe('CompressedFiles', () => {
  it('uses the files compressed by the build for the assets of every page', async () => {
    for (const name of ['tabler.min.css', 'app.js', 'editor.js']) {
      const content = readFileSync(join(PACKAGE_ROOT, 'dist/browser', name));
      file = { name, version: name, read: async () => content };
      for (const coding of ['br', 'gzip']) {
        const kept = readFileSync(join(PACKAGE_ROOT, 'dist/compressed', `${hash('sha256', content)}.${coding}`));
        const { bytes, text } = await ask({ 'accept-encoding': coding });
        expect([name, bytes.equals(kept), text === content.toString()]).toEqual([name, true, true]);
      }
    }
  });

  it('sends the encoding the client accepts, with headers set earlier', async () => {
    for (const coding of ['br', 'gzip']) {
      const { status, headers, text, bytes } = await ask({ 'accept-encoding': coding });
      expect([status, text]).toEqual([200, STYLE]);
      expect(headers).toMatchObject({
        'content-encoding': coding,
        'content-type': 'text/css; charset=utf-8',
        'content-length': String(bytes.length),
        'cache-control': 'public',
        vary: 'Accept-Encoding',
        etag: `"v1-${coding}"`,
      });
      const head = await ask({ 'accept-encoding': coding }, 'HEAD');
      expect([head.headers['content-length'], head.headers['content-encoding'], head.text]).toEqual([String(bytes.length), coding, '']);
    }
  });

  it('compresses once for concurrent requests, and again for new content', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ask({ 'accept-encoding': 'br' })));
    expect(reads).toBe(1);
    file = { ...file, version: 'v2' };
    expect((await ask({ 'accept-encoding': 'br' })).headers.etag).toBe('"v2-br"');
    expect(reads).toBe(2);
  });

  it('answers 304 to a client that has the file', async () => {
    const known = { 'accept-encoding': 'br', 'if-none-match': '"v0-br", W/"v1-br"' };
    expect(await ask(known)).toMatchObject({ status: 304, text: '', headers: { etag: '"v1-br"', vary: 'Accept-Encoding' } });
    expect((await ask({ ...known, 'if-none-match': '"v1-gzip"' })).status).toBe(200);
  });

  it('does not handle non-text files, ranges, and clients without compression', async () => {
    const others: [Record<string, string>, Partial<CompressibleFile>, string | undefined][] = [
      [{}, {}, 'Accept-Encoding'],
      [{ 'accept-encoding': 'br;q=0' }, {}, 'Accept-Encoding'],
      [{ 'accept-encoding': 'br', range: 'bytes=0-9' }, {}, 'Accept-Encoding'],
      [{ 'accept-encoding': 'br' }, { name: 'photo.png' }, undefined],
    ];
    for (const [headers, changed, vary] of others) {
      file = { ...file, ...changed };
      const answer = await ask(headers);
      expect([answer.text, answer.headers.vary, answer.headers['content-encoding']]).toEqual(['as it is', vary, undefined]);
    }
    expect(reads).toBe(0);
  });

  it('does not handle an unreadable file, and retries on the next request', async () => {
    const { read } = file;
    file = { ...file, read: () => Promise.reject(new Error('gone')) };
    expect((await ask({ 'accept-encoding': 'br' })).text).toBe('as it is');
    file = { ...file, read };
    expect((await ask({ 'accept-encoding': 'br' })).text).toBe(STYLE);
  });
});
