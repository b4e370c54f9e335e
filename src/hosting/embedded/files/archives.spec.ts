import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type HandmadeEntry, handmadeZip } from '../../../packaging/testing/handmade-zip.js';

import { resultOf, TestSite } from './testing/test-site.js';

let site: TestSite;
beforeEach(async () => {
  site = await TestSite.make();
});
afterEach(() => {
  expect(site.unfinished).toEqual([]);
  expect(site.space.used).toBe(site.bytes);
  expect(readFileSync(join(site.dataDir, 'sites/svc.0002/public/index.html'), 'utf8')).toBe('welcome');
  site.dispose();
});

const GBK_TEST = Buffer.from([0xb2, 0xe2, 0xca, 0xd4, 0x2f, 0xce, 0xc4, 0xbc, 0xfe, 0x2e, 0x74, 0x78, 0x74]);

const zipOf = (entries: readonly HandmadeEntry[]): Buffer => handmadeZip(entries.map((entry) => ({ content: 'content', ...entry })));

async function tarOf(headers: readonly (Parameters<ReturnType<typeof pack>['entry']>[0] & { content?: string })[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of headers) tar.entry(header, content);
  tar.finalize();
  return gzipSync(await buffer(tar as never));
}

const unpack = (archive: string, folder = '/', encoding?: 'gbk' | 'utf-8') =>
  resultOf(site.files.unpack(site.account, { archive, folder, encoding }, site.space, site.turn()));

describe('archive', () => {
  it.each(['all.zip', 'all.tar.gz', 'all.tgz'])('%s is packed, and unpacks to the original files', async (archive) => {
    site.put('a/deep/文件.txt', 'deep');
    site.put('a/empty.txt', '');
    const { files, account, space } = site;
    expect(
      await resultOf(files.pack(account, { folder: '/', names: ['a', 'index.html'], archive: `/${archive}` }, space, site.turn())),
    ).toEqual({ done: 5, left: 0 });
    expect(await resultOf(files.pack(account, { folder: '/', names: ['a'], archive: `/${archive}` }, space, site.turn()))).toBe('TAKEN');
    await resultOf(files.makeFolder(account, '/out'));
    expect(await unpack(`/${archive}`, '/out')).toMatchObject({ done: 5, left: 0 });
    expect(site.tree.filter((path) => path.startsWith('out/'))).toEqual([
      'out/',
      'out/a/',
      'out/a/deep/',
      'out/a/deep/文件.txt',
      'out/a/empty.txt',
      'out/index.html',
    ]);
    expect(site.text('out/a/deep/文件.txt')).toBe('deep');
    writeFileSync(site.at('out/a/empty.txt'), '');
    expect(await unpack(`/${archive}`, '/out')).toMatchObject({ done: 5 });
  });

  it('is not packed without enough space, and the error names the known kinds', async () => {
    site.put('a.bin', Buffer.from(Array.from({ length: 3_000 }, () => Math.floor(Math.random() * 256))));
    const { files, account, space } = site;
    space.limit = space.used + 100;
    for (const archive of ['/a.zip', '/a.tgz'])
      expect(await resultOf(files.pack(account, { folder: '/', names: ['a.bin'], archive }, space, site.turn()))).toBe('NO_SPACE');
    expect(await resultOf(files.pack(account, { folder: '/', names: ['a.bin'], archive: '/a.rar' }, space, site.turn()))).toBe(
      'ARCHIVE_KIND',
    );
    expect(await resultOf(files.pack(account, { folder: '/', names: ['missing'], archive: '/b.zip' }, space, site.turn()))).toBe('MISSING');
  });

  it('decodes names in GBK or UTF-8', async () => {
    site.put('gbk.zip', zipOf([{ name: GBK_TEST }]));
    site.put('utf8.zip', zipOf([{ name: Buffer.from('目录/文件.txt') }]));
    site.put('gbk.tar.gz', await tarOf([{ name: 'a.txt', content: 'a' }]));
    expect(await unpack('/gbk.zip')).toMatchObject({ done: 1 });
    expect(site.text('测试/文件.txt')).toBe('content');
    expect(await unpack('/utf8.zip')).toMatchObject({ done: 1 });
    expect(site.text('目录/文件.txt')).toBe('content');
    expect(await unpack('/gbk.zip', '/', 'gbk')).toMatchObject({ done: 1 });
  });

  it.each([
    '../evil.txt',
    'a/../../evil.txt',
    '/etc/evil.txt',
    '..\\evil.txt',
    'C:\\evil.txt',
    'a/..',
    'a\nb.txt',
    '..',
    'a/\0b',
    'x'.repeat(300),
  ])('with the name %j is rejected without unpacking anything', async (name) => {
    site.put('a.zip', zipOf([{ name: 'fine.txt' }, { name }]));
    site.put(
      'a.tgz',
      await tarOf([
        { name: 'fine.txt', content: 'fine' },
        { name, content: 'x' },
      ]),
    );
    for (const archive of ['/a.zip', '/a.tgz']) {
      const outcome = await unpack(archive);
      // A tar file ends names at NUL: what comes before it is a name like any other.
      if (!(archive === '/a.tgz' && name.includes('\0'))) expect([archive, outcome]).toEqual([archive, 'ARCHIVE_UNSAFE']);
    }
    expect(site.tree).not.toContain('fine.txt'.repeat(2));
  });

  it('with links or special files is rejected', async () => {
    for (const [n, mode] of [0o120777, 0o010644, 0o020644, 0o060644, 0o140644].entries()) {
      site.put(`${n}.zip`, zipOf([{ name: 'fine.txt' }, { name: 'link', content: '/etc/passwd', mode }]));
      expect(await unpack(`/${n}.zip`)).toBe('ARCHIVE_UNSAFE');
    }
    for (const type of ['symlink', 'link', 'fifo', 'character-device', 'block-device'] as const) {
      site.put(
        `${type}.tar.gz`,
        await tarOf([
          { name: 'fine.txt', content: 'x' },
          { name: 'link', type, linkname: '/etc/passwd' },
        ]),
      );
      expect(await unpack(`/${type}.tar.gz`)).toBe('ARCHIVE_UNSAFE');
    }
    expect(site.tree).not.toContain('fine.txt');
  });

  it('reports separate errors for a password, damage, truncation and an unknown kind', async () => {
    site.put('locked.zip', zipOf([{ name: 'a.txt', flags: 1, method: 8 }]));
    const whole = zipOf([{ name: 'a.txt', content: 'whole'.repeat(100) }]);
    const bad = Buffer.from(whole);
    bad[60]! ^= 0xff;
    site.put('bad.zip', bad);
    site.put('cut.zip', whole.subarray(0, whole.length - 30));
    site.put('text.zip', 'no archive');
    site.put('cut.tgz', (await tarOf([{ name: 'a.txt', content: 'whole'.repeat(1000) }])).subarray(0, 40));
    site.put('a.rar', 'Rar!');
    for (const [archive, outcome] of Object.entries({
      locked: 'ARCHIVE_LOCKED',
      bad: 'ARCHIVE_BROKEN',
      cut: 'ARCHIVE_BROKEN',
      text: 'ARCHIVE_BROKEN',
    })) {
      expect([archive, await unpack(`/${archive}.zip`)]).toEqual([archive, outcome]);
    }
    expect(await unpack('/cut.tgz')).toBe('ARCHIVE_BROKEN');
    expect(await unpack('/a.rar')).toBe('ARCHIVE_KIND');
    expect(site.tree).not.toContain('a.txt');
  });

  it('leaves no files if it is a bomb or exceeds the space', async () => {
    site.put('bomb.tgz', gzipSync(await rawTar(150 * 1024 * 1024), { level: 9 }));
    expect(await unpack('/bomb.tgz')).toBe('ARCHIVE_BOMB');
    site.put('fits.zip', zipOf([{ name: 'a.txt', content: 'x'.repeat(5_000) }]));
    site.space.limit = site.space.used + 4_000;
    expect(await unpack('/fits.zip')).toBe('NO_SPACE');
    expect(site.tree).not.toContain('a.txt');
  });

  it('replaces files of the same name, and detects conflicts with folders before any change', async () => {
    site.put('a/x.txt', 'old');
    site.put('b.txt/inside', 'folder');
    site.put('new.zip', zipOf([{ name: 'a/x.txt', content: 'new' }, { name: 'a/y.txt' }, { name: '.user.ini' }]));
    site.put('clash.zip', zipOf([{ name: 'a/x.txt', content: 'newer' }, { name: 'b.txt' }]));
    expect(await unpack('/new.zip')).toEqual({ done: 3, left: 1 });
    expect(site.text('a/x.txt')).toBe('new');
    expect(await unpack('/clash.zip')).toBe('TAKEN');
    expect(site.text('a/x.txt')).toBe('new');
    site.put('twice.zip', zipOf([{ name: 'c.txt' }, { name: 'c.txt' }]));
    expect(await unpack('/twice.zip')).toBe('ARCHIVE_BROKEN');
    site.put('both.zip', zipOf([{ name: 'd' }, { name: 'd/e.txt' }]));
    expect(await unpack('/both.zip')).toBe('ARCHIVE_BROKEN');
  });

  it('restarts after an interruption without the remains of the previous attempt', async () => {
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(site.folder, 'work/job-work-1/half'), { recursive: true });
    writeFileSync(join(site.folder, 'work/job-work-1/half/made.txt'), 'half');
    site.space.used += 4;
    site.put('a.zip', zipOf([{ name: 'a.txt' }]));
    expect(await unpack('/a.zip')).toEqual({ done: 1, left: 0 });
    expect(readdirSync(site.at('')).sort()).toEqual(['a.txt', 'a.zip', 'index.html']);
  });
});

async function rawTar(bytes: number): Promise<Buffer> {
  const tar = pack();
  const entry = tar.entry({ name: 'zeros.bin', size: bytes });
  const zeros = Buffer.alloc(1024 * 1024);
  const written = (async () => {
    for (let done = 0; done < bytes; done += zeros.length) {
      if (!entry.write(zeros)) await new Promise((resolve) => entry.once('drain', () => resolve(undefined)));
    }
    (entry as unknown as { end(): void }).end();
    tar.finalize();
  })();
  const whole = await buffer(tar as never);
  await written;
  return whole;
}
