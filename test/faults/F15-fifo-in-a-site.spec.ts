import { execFileSync } from 'node:child_process';
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { request } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HostingAccount, HostingService, SitesServer } from '../../src/hosting/index.js';
import { createTestHosting, type TestHosting } from '../support/hosting.js';

let hosting: TestHosting;
let folders: Record<string, string>;
let disposed = false;
beforeAll(async () => {
  hosting = await createTestHosting();
  folders = Object.fromEntries(await Promise.all(['fifo0001', 'other001'].map(async (user) => [user, await webRoot(user)])));
});
afterAll(() => (disposed ? undefined : hosting.dispose()));

async function webRoot(user: string): Promise<string> {
  const { id } = await hosting.app.get(HostingService).provision({ node: 'bh1', user, password: 'secret-1', expiresOn: null }, 'api');
  const { siteName } = await hosting.database.repository(HostingAccount).findOneByOrFail({ id });
  return join(hosting.config.dataDir, 'sites', siteName, 'public');
}

function ask(
  path: string,
  user = 'fifo0001',
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port: hosting.app.get(SitesServer).port,
        path,
        method,
        headers: { host: `${user}.localhost`, ...headers },
        timeout: 5_000,
      },
      (response) => {
        let body = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (body += part))
          .on('end', () => resolve({ status: response.statusCode!, body }));
      },
    )
      .on('timeout', function (this: { destroy(error: Error): void }) {
        this.destroy(new Error(`${path} hangs`));
      })
      .on('error', reject)
      .end();
  });
}

describe('F15 FIFO in a site folder', () => {
  it('sockets, devices, links to them and FIFOs are not served', async () => {
    const root = folders.fifo0001!;
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    symlinkSync('pipe.txt', join(root, 'link-to-pipe.txt'));
    symlinkSync('/dev/zero', join(root, 'zero.bin'));
    symlinkSync('/etc/hostname', join(root, 'outside.txt'));
    const socket = createServer().listen(join(root, 'socket.txt'));
    for (const path of ['/pipe.txt', '/link-to-pipe.txt', '/zero.bin', '/outside.txt', '/socket.txt', '/pipe.txt/']) {
      expect((await ask(path)).status, path).toBe(404);
      expect((await ask(path, 'fifo0001', { range: 'bytes=0-9' })).status, path).toBe(404);
    }
    await new Promise((resolve) => socket.close(resolve));
  });

  it('a folder whose index is a FIFO has no index', async () => {
    const root = folders.fifo0001!;
    unlinkSync(join(root, 'index.html'));
    execFileSync('mkfifo', [join(root, 'index.html')]);
    expect((await ask('/')).status).toBe(404);
  });

  it('files are served as before: complete, in parts, unchanged, by HEAD, and many times', async () => {
    writeFileSync(join(folders.fifo0001!, 'file.txt'), '0123456789');
    writeFileSync(join(folders.fifo0001!, 'empty.txt'), '');
    expect(await ask('/empty.txt')).toEqual({ status: 200, body: '' });
    const tags = new Set<string>();
    for (let i = 0; i < 50; i += 1) {
      expect(await ask('/file.txt')).toEqual({ status: 200, body: '0123456789' });
      expect(await ask('/file.txt', 'fifo0001', { range: 'bytes=2-4' })).toEqual({ status: 206, body: '234' });
      expect((await ask('/file.txt', 'fifo0001', { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() })).status).toBe(
        304,
      );
      tags.add((await ask('/file.txt', 'fifo0001', {}, 'HEAD')).body);
    }
    expect([...tags]).toEqual(['']);
  });

  it('many requests for one delay neither other sites nor the shutdown', async () => {
    const waiting = Array.from({ length: 16 }, () => ask('/pipe.txt'));
    expect((await ask('/', 'other001')).status).toBe(200);
    expect((await Promise.all(waiting)).every(({ status }) => status === 404)).toBe(true);
    const before = Date.now();
    await hosting.dispose();
    disposed = true;
    expect(Date.now() - before).toBeLessThan(10_000);
  });
});
