/** Nothing leads out of a site, whatever a path, a name or a file is made of. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { DriverResult } from '../../driver/index.js';

import { resultOf, TestSite } from './testing/test-site.js';

let site: TestSite;
let secret: string;
const { signal } = new AbortController();
beforeEach(async () => {
  site = await TestSite.make();
  secret = join(site.dataDir, 'secret.txt');
  writeFileSync(secret, 'TOP-SECRET');
});
afterEach(() => site.dispose());

/** Every call that takes a path of something that is there. */
function calls(path: string): [name: string, run: () => Promise<unknown>][] {
  const { files, account, space } = site;
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const name = path.slice(path.lastIndexOf('/') + 1);
  return Object.entries({
    find: () => resultOf(files.find(account, path)),
    read: () => resultOf(files.read(account, path, 100)),
    open: () => resultOf(files.open(account, path)),
    write: () => resultOf(files.write(account, { path, bytes: Buffer.from('x'), isNew: false }, space)),
    create: () => resultOf(files.write(account, { path, bytes: Buffer.from('x'), isNew: true }, space)),
    makeFolder: () => resultOf(files.makeFolder(account, path)),
    discard: () => resultOf(files.discard(account, [path])),
    rename: () => resultOf(files.rename(account, folder, name, 'other')),
    renameTo: () => resultOf(files.rename(account, '/', 'index.html', path)),
    move: () => resultOf(files.move(account, { from: '/', names: [path], to: '/' })),
    moveTo: () => resultOf(files.move(account, { from: '/', names: ['index.html'], to: path })),
    copy: () => resultOf(files.copy(account, { from: folder, names: [name], to: '/' }, space, site.turn())),
    upload: () => resultOf(files.upload(account, { folder: '/', name: path, size: 1, tag: '' }, 0, Buffer.from('x'), space)),
    uploadTo: () => resultOf(files.upload(account, { folder: path, name: 'a', size: 1, tag: '' }, 0, Buffer.from('x'), space)),
    pack: () => resultOf(files.pack(account, { folder: '/', names: [path], archive: '/a.zip' }, space, site.turn())),
    packTo: () => resultOf(files.pack(account, { folder: '/', names: ['index.html'], archive: `${path}/a.zip` }, space, site.turn())),
    unpack: () => resultOf(files.unpack(account, { archive: `${path}.zip`, folder: '/' }, space, site.turn())),
    unpackTo: () => resultOf(files.unpack(account, { archive: '/a.zip', folder: path }, space, site.turn())),
    list: () => resultOf(files.list(account, { folder: path, sort: 'name', descending: false, offset: 0, limit: 9 }, signal)),
  });
}

/** Nothing outside the web root, and not the other site, is other than it was. */
function nothingElseChanged(): void {
  expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET');
  expect(readFileSync(join(site.folder, 'site.json'), 'utf8')).toContain('host:1');
  expect(readFileSync(join(site.dataDir, 'sites/svc.0002/public/index.html'), 'utf8')).toBe('welcome');
}

describe('path', () => {
  it.each([
    '/..',
    '/../site.json',
    '/../../svc.0002/public/index.html',
    '/a/../../site.json',
    '/./../site.json',
    '../site.json',
    '/index.html/../../site.json',
    '//../site.json',
    '/..//site.json',
    '/index.html\0.txt',
    '/\0',
    '/\ud800',
    `/${'a/'.repeat(100)}b`,
    `/${'a'.repeat(5_000)}`,
  ])('%j is rejected by every call', async (path) => {
    for (const [name, run] of calls(path)) {
      const outcome = await run();
      expect([name, outcome]).toEqual([name, expect.stringMatching(/^(PATH|NAME|MISSING)$/)]);
    }
    nothingElseChanged();
    expect(site.tree).toEqual(['index.html']);
  });

  it.each([
    '/..%2fsite.json',
    '/%2e%2e/site.json',
    '/..\\site.json',
    '/..%5csite.json',
    '/%c0%ae%c0%ae/site.json',
    '/．．/site.json',
    '/C:\\windows',
    '/…/site.json',
  ])('%j is used literally and does not exist', async (path) => {
    const { files, account } = site;
    for (const call of [files.find(account, path), files.read(account, path, 100), files.open(account, path)] as Promise<
      DriverResult<unknown>
    >[]) {
      expect(await resultOf(call)).toBe('MISSING');
    }
    for (const [, run] of calls(path)) await run();
    nothingElseChanged();
  });

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0b', 'a\nb', 'a\x7f', 'x'.repeat(256), '好'.repeat(86), ' ', '\ud800'])(
    'rejects the new name %j',
    async (name) => {
      const { files, account, space } = site;
      expect(await resultOf(files.rename(account, '/', 'index.html', name))).toMatch(/NAME|PATH/);
      if (!name.includes('/'))
        expect(await resultOf(files.upload(account, { folder: '/', name, size: 1, tag: '' }, 0, Buffer.from('x'), space))).toMatch(
          /NAME|PATH/,
        );
      expect(site.tree).toEqual(['index.html']);
    },
  );

  it.each(['.user.ini', '.USER.INI', '.User.ini', '.user.ini ', '.user.ini.', '.user.ini..'])(
    '%j stays reserved for the server',
    async (name) => {
      writeFileSync(site.at(name), 'open_basedir');
      const { files, account, space } = site;
      expect(await resultOf(files.rename(account, '/', 'index.html', name))).toBe('PROTECTED');
      expect(await resultOf(files.upload(account, { folder: '/', name, size: 1, tag: '' }, 0, Buffer.from('x'), space))).toBe('PROTECTED');
      for (const [call, run] of calls(`/${name}`).filter(([of]) =>
        ['read', 'open', 'write', 'create', 'discard', 'rename', 'makeFolder'].includes(of),
      ))
        expect([call, await run()]).toEqual([call, 'PROTECTED']);
      expect(site.text(name)).toBe('open_basedir');
    },
  );

  it('does not lead outside through links, and links are never read', async () => {
    symlinkSync(secret, site.at('link.txt'));
    symlinkSync('..', site.at('up'));
    symlinkSync(join(site.dataDir, 'sites/svc.0002/public'), site.at('other'));
    const { files, account, space } = site;
    for (const path of ['/link.txt', '/up', '/other']) expect(await resultOf(files.read(account, path, 100))).toBe('SPECIAL');
    for (const path of ['/up/site.json', '/other/index.html']) {
      for (const [name, run] of calls(path)) {
        if (['renameTo', 'move', 'upload', 'pack', 'unpackTo'].includes(name)) continue;
        expect([path, name, await run()]).toEqual([path, name, expect.stringMatching(/^(NOT_FOLDER|SPECIAL|MISSING|ARCHIVE_KIND|TAKEN)$/)]);
      }
    }
    expect(await resultOf(files.upload(account, { folder: '/', name: 'up/x.txt', size: 1, tag: '' }, 0, Buffer.from('x'), space))).toMatch(
      /NOT_FOLDER|SPECIAL/,
    );
    expect(await resultOf(files.upload(account, { folder: '/', name: 'link.txt', size: 1, tag: '' }, 0, Buffer.from('x'), space))).toBe(
      'TAKEN',
    );
    expect(await resultOf(files.write(account, { path: '/link.txt', bytes: Buffer.from('x'), isNew: false }, space))).toBe('SPECIAL');
    nothingElseChanged();
    expect(await resultOf(files.discard(account, ['/link.txt', '/up', '/other']))).toBe(3);
    nothingElseChanged();
    await resultOf(files.purge(account, {}, space, site.turn()));
    nothingElseChanged();
  });

  it('does not lead outside if a folder is replaced by a link during use', async () => {
    const { files, account } = site;
    site.put('a/index.html', 'mine');
    const other = join(site.dataDir, 'sites/svc.0002/public');
    let running = true;
    const swap = (async () => {
      while (running) {
        renameSync(site.at('a'), site.at('kept'));
        symlinkSync(other, site.at('a'));
        await new Promise(setImmediate);
        rmSync(site.at('a'));
        renameSync(site.at('kept'), site.at('a'));
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let n = 0; n < 300; n += 1) {
      const read = await resultOf(files.read(account, '/a/index.html', 100));
      seen.add(typeof read === 'string' ? read : read.bytes.toString());
      await resultOf(files.write(account, { path: '/a/index.html', bytes: Buffer.from('mine'), isNew: false }, site.space));
    }
    running = false;
    await swap;
    expect(seen).not.toContain('welcome');
    expect(seen).toContain('mine');
    nothingElseChanged();
  });

  it('does not open hard links, pipes, devices or folders as files', async () => {
    linkSync(secret, site.at('hard.txt'));
    execFileSync('mkfifo', [site.at('pipe')]);
    mkdirSync(site.at('folder'));
    const { files, account, space } = site;
    for (const [path, outcome] of [
      ['/hard.txt', 'SPECIAL'],
      ['/pipe', 'SPECIAL'],
      ['/folder', 'NOT_FILE'],
    ] as const) {
      expect(await resultOf(files.read(account, path, 100))).toBe(outcome);
      expect(await resultOf(files.open(account, path))).toBe(outcome);
      expect(await resultOf(files.write(account, { path, bytes: Buffer.from('x'), isNew: false }, space))).toBe(outcome);
    }
    expect(await resultOf(files.copy(account, { from: '/', names: ['hard.txt', 'pipe'], to: '/folder' }, space, site.turn()))).toEqual({
      done: 0,
      left: 2,
    });
    expect(
      await resultOf(files.pack(account, { folder: '/', names: ['hard.txt', 'pipe'], archive: '/a.zip' }, space, site.turn())),
    ).toEqual({
      done: 0,
      left: 2,
    });
    expect(readFileSync(site.at('a.zip')).includes('TOP-SECRET')).toBe(false);
    nothingElseChanged();
  });

  it('only reaches the account’s own site, and is case-sensitive', async () => {
    const { files, account, space } = site;
    site.put('Read.TXT');
    expect(await resultOf(files.read(account, '/read.txt', 100))).toBe('MISSING');
    const other = { ...account, ownerMark: 'host:2' };
    expect(await resultOf(files.read(other, '/index.html', 100))).toContain('belongs to another');
    expect(await resultOf(files.write(other, { path: '/index.html', bytes: Buffer.from('x'), isNew: false }, space))).toContain(
      'belongs to another',
    );
    expect(await resultOf(files.unpack(other, { archive: '/a.zip', folder: '/' }, space, site.turn()))).toContain('belongs to another');
  });
});
