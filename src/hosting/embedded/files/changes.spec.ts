import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { FileContent, TrashList } from '../../driver/index.js';

import { resultOf, TestSite } from './testing/test-site.js';

let site: TestSite;
const { signal } = new AbortController();
beforeEach(async () => {
  site = await TestSite.make();
});
afterEach(() => {
  expect(site.space.used).toBe(site.bytes);
  site.dispose();
});

const text = (content: string): Buffer => Buffer.from(content);

describe('file', () => {
  it('is written completely, keeps its mode, and is protected against concurrent changes', async () => {
    const { files, account, space } = site;
    chmodSync(site.at('index.html'), 0o600);
    const read = (await resultOf(files.read(account, '/index.html', 100))) as FileContent;
    expect(read.bytes.toString()).toBe('welcome');
    const saved = await resultOf(
      files.write(account, { path: '/index.html', bytes: text('mine'), isNew: false, version: read.version }, space),
    );
    expect(saved).toMatchObject({ version: expect.any(String) });
    expect(statSync(site.at('index.html')).mode & 0o777).toBe(0o600);
    const late = await files.write(account, { path: '/index.html', bytes: text('theirs'), isNew: false, version: read.version }, space);
    expect(late).toMatchObject({ outcome: 'refused', problem: { code: 'CHANGED', params: { version: (saved as FileContent).version } } });
    expect(site.text('index.html')).toBe('mine');
    const seconds = String(Math.floor(statSync(site.at('index.html')).mtimeMs / 1_000));
    for (const version of [(saved as FileContent).version, undefined]) {
      await resultOf(files.write(account, { path: '/index.html', bytes: text('knowingly'), isNew: false, version }, space));
    }
    expect(await resultOf(files.write(account, { path: '/index.html', bytes: text('x'), isNew: false, version: '1' }, space))).toBe(
      'CHANGED',
    );
    expect(seconds).toMatch(/^\d{10}$/);
    expect(site.unfinished).toEqual([]);
  });

  it('is changed by only one of many concurrent writers of the same version', async () => {
    const { files, account, space } = site;
    const { version } = (await resultOf(files.read(account, '/index.html', 100))) as FileContent;
    const saves = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        resultOf(files.write(account, { path: '/index.html', bytes: text(`by ${n}`), isNew: false, version }, space)),
      ),
    );
    expect(saves.filter((outcome) => outcome === 'CHANGED')).toHaveLength(7);
  });

  it('is created only if missing, changed only if existing, and limited by the space', async () => {
    const { files, account, space } = site;
    await resultOf(files.write(account, { path: '/a.txt', bytes: text('a'), isNew: true }, space));
    expect(await resultOf(files.write(account, { path: '/a.txt', bytes: text('b'), isNew: true }, space))).toBe('TAKEN');
    expect(await resultOf(files.write(account, { path: '/b.txt', bytes: text('b'), isNew: false }, space))).toBe('MISSING');
    expect(await resultOf(files.makeFolder(account, '/folder'))).toBe(undefined);
    expect(await resultOf(files.makeFolder(account, '/folder'))).toBe('TAKEN');
    space.limit = space.used + 3;
    expect(await resultOf(files.write(account, { path: '/c.txt', bytes: text('four'), isNew: true }, space))).toBe('NO_SPACE');
    expect(site.tree).toEqual(['a.txt', 'folder/', 'index.html']);
    expect(site.unfinished).toEqual([]);
  });

  it('is renamed and moved only to a free name, all entries or none', async () => {
    const { files, account } = site;
    for (const path of ['a/1.txt', 'a/2.txt', 'b/2.txt', 'a/deep/x.txt']) site.put(path);
    expect(await resultOf(files.rename(account, '/a', '1.txt', '2.txt'))).toBe('TAKEN');
    expect(await resultOf(files.rename(account, '/a', '1.txt', 'one.txt'))).toBe(undefined);
    expect(await resultOf(files.move(account, { from: '/a', names: ['one.txt', '2.txt'], to: '/b' }))).toBe('TAKEN');
    expect(await resultOf(files.move(account, { from: '/a', names: ['one.txt', 'missing'], to: '/b' }))).toBe('MISSING');
    expect(site.tree).toContain('a/one.txt');
    expect(await resultOf(files.move(account, { from: '/', names: ['a'], to: '/a/deep' }))).toBe('INSIDE_ITSELF');
    expect(await resultOf(files.move(account, { from: '/', names: ['a'], to: '/a' }))).toBe('INSIDE_ITSELF');
    expect(await resultOf(files.move(account, { from: '/a', names: ['one.txt', 'deep'], to: '/b' }))).toBe(2);
    expect(site.tree).toEqual(['a/', 'a/2.txt', 'b/', 'b/2.txt', 'b/deep/', 'b/deep/x.txt', 'b/one.txt', 'index.html']);
  });

  it('is copied recursively, to a new name in the same folder, or not at all', async () => {
    const { files, account, space } = site;
    for (const path of ['a/1.txt', 'a/deep/x.txt']) site.put(path);
    expect(await resultOf(files.copy(account, { from: '/', names: ['a'], to: '/' }, space, site.turn()))).toEqual({ done: 4, left: 0 });
    expect(site.tree).toContain('a (2)/deep/x.txt');
    expect(await resultOf(files.copy(account, { from: '/', names: ['a'], to: '/a/deep' }, space, site.turn()))).toBe('INSIDE_ITSELF');
    mkdirSync(site.at('b'));
    space.limit = space.used + 8;
    expect(await resultOf(files.copy(account, { from: '/', names: ['a'], to: '/b' }, space, site.turn()))).toBe('NO_SPACE');
    expect(readdirSync(site.at('b'))).toEqual([]);
    space.limit = Number.POSITIVE_INFINITY;
    expect(await resultOf(files.copy(account, { from: '/', names: ['a', 'index.html'], to: '/b' }, space, site.turn()))).toMatchObject({
      done: 5,
    });
    expect(await resultOf(files.copy(account, { from: '/', names: ['index.html'], to: '/b' }, space, site.turn()))).toBe('TAKEN');
    expect(site.text('b/a/deep/x.txt')).toBe('a/deep/x.txt');
    expect(site.unfinished).toEqual([]);
    await expect(files.copy(account, { from: '/', names: ['a'], to: '/b' }, space, site.turn(AbortSignal.abort()))).resolves.toMatchObject({
      outcome: 'refused',
    });
  });

  it('is moved to the trash, restored under a free name, and permanently removed', async () => {
    const { files, account, space } = site;
    site.put('a/deep/x.txt', 'first');
    expect(await resultOf(files.discard(account, ['/a/deep/x.txt', '/a/deep/gone.txt']))).toBe(1);
    expect(await resultOf(files.discard(account, ['/a']))).toBe(1);
    const { total, entries } = (await resultOf(files.trash(account, 0, 10))) as TrashList;
    expect({ total, paths: entries.map(({ path }) => path).sort() }).toEqual({ total: 2, paths: ['/a', '/a/deep/x.txt'] });
    const file = entries.find(({ path }) => path === '/a/deep/x.txt')!;
    expect(file).toMatchObject({ type: 'file', size: 5 });
    site.put('a/deep/x.txt', 'second');
    expect(await resultOf(files.restore(account, [file.id]))).toEqual(['/a/deep/x (2).txt']);
    expect(site.text('a/deep/x (2).txt')).toBe('first');
    expect(await resultOf(files.restore(account, [file.id]))).toBe('MISSING');
    expect(await resultOf(files.restore(account, ['../../svc.0002']))).toBe('MISSING');
    expect(await resultOf(files.purge(account, { before: 1 }, space, site.turn()))).toBe(0);
    expect(await resultOf(files.purge(account, {}, space, site.turn()))).toBe(1);
    expect(await resultOf(files.trash(account, 0, 10))).toEqual({ total: 0, entries: [] });
  });

  it('has a size, and abandoned work is removed', async () => {
    const { files, account, space } = site;
    site.put('a/1.txt', '12345');
    expect(await resultOf(files.size(account, '/a', signal))).toBe(5);
    expect(await resultOf(files.size(account, '/a/1.txt', signal))).toBe(5);
    expect(await resultOf(files.size(account, '/', signal))).toBe(12);
    await resultOf(files.upload(account, { folder: '/', name: 'big', size: 100, tag: '' }, 0, text('part'), space));
    await resultOf(files.tidy(account, Date.now() - 60_000, space, signal));
    expect(site.unfinished).toHaveLength(1);
    await resultOf(files.tidy(account, Date.now() + 60_000, space, signal));
    expect(existsSync(join(site.folder, 'work')) && site.unfinished).toEqual([]);
  });
});

describe('upload', () => {
  const target = { folder: '/', name: 'new/deep/file.bin', size: 10, tag: 't' };

  it('is received in consecutive pieces and can be resumed', async () => {
    const { files, account, space } = site;
    const send = (offset: number, piece: string) => resultOf(files.upload(account, target, offset, text(piece), space));
    expect(await send(0, '0123')).toEqual({ received: 4, done: false });
    expect(await send(0, '0123')).toEqual({ received: 4, done: false });
    expect(await send(8, '89')).toEqual({ received: 4, done: false });
    expect(await send(4, '45678901')).toBe('PIECE');
    expect(await send(4, '')).toBe('PIECE');
    expect(await resultOf(files.uploaded(account, target))).toEqual({ received: 4, done: false });
    expect(existsSync(site.at('new'))).toBe(false);
    expect(await send(4, '456789')).toEqual({ received: 10, done: true });
    expect(site.text('new/deep/file.bin')).toBe('0123456789');
    expect(site.unfinished).toEqual([]);
  });

  it('is reported as done when the last piece is repeated, while the file is unchanged', async () => {
    const { files, account, space } = site;
    const send = (offset: number, piece: string) => resultOf(files.upload(account, target, offset, text(piece), space));
    const last = () => send(4, '456789');
    expect(await last()).toEqual({ received: 0, done: false });
    await send(0, '0123');
    await last();
    expect(await last()).toEqual({ received: 10, done: true });
    expect(await send(4, '4567x9')).toEqual({ received: 0, done: false });
    expect(await send(4, '45678')).toEqual({ received: 0, done: false });
    expect(site.text('new/deep/file.bin')).toBe('0123456789');
    expect(site.unfinished).toEqual([]);
    // Begun anew, it is another upload.
    await send(0, '01');
    expect(await last()).toEqual({ received: 2, done: false });
    await files.cancelUpload(account, target, space);
    await files.write(account, { path: '/new/deep/file.bin', bytes: text('other'), isNew: false }, space);
    expect(await last()).toEqual({ received: 0, done: false });
  });

  it('with the same name from two clients is kept apart, and the existing file goes to the trash', async () => {
    const { files, account, space } = site;
    const one = { ...target, name: 'f', size: 4, tag: 'tab 1' };
    const two = { ...one, tag: 'tab 2' };
    await Promise.all([files.upload(account, one, 0, text('aa'), space), files.upload(account, two, 0, text('bb'), space)]);
    // Twice the same piece at once: it is taken once.
    await Promise.all([files.upload(account, one, 2, text('AA'), space), files.upload(account, one, 2, text('AA'), space)]);
    expect(site.text('f')).toBe('aaAA');
    await files.cancelUpload(account, { ...one }, space);
    await files.upload(account, two, 2, text('BB'), space);
    expect(site.text('f')).toBe('bbBB');
    expect(((await resultOf(files.trash(account, 0, 10))) as TrashList).total).toBeGreaterThanOrEqual(1);
    await files.cancelUpload(account, one, space);
    expect(site.unfinished).toEqual([]);
  });

  it('is rejected as soon as it cannot succeed', async () => {
    const { files, account, space } = site;
    space.limit = space.used + 9;
    expect(await resultOf(files.upload(account, target, 0, text('0'), space))).toBe('NO_SPACE');
    expect(await resultOf(files.upload(account, { ...target, size: 5, folder: '/missing' }, 0, text('0'), space))).toBe('MISSING');
    const small = { ...target, name: 'a', size: 9 };
    expect(await resultOf(files.upload(account, small, 0, text('01234'), space))).toMatchObject({ received: 5 });
    space.limit = space.used + 1;
    expect(await resultOf(files.upload(account, small, 5, text('5678'), space))).toBe('NO_SPACE');
    expect(await resultOf(files.uploaded(account, small))).toEqual({ received: 5, done: false });
    expect(await resultOf(files.upload(account, { ...target, name: 'empty', size: 0 }, 0, text(''), space))).toEqual({
      received: 0,
      done: true,
    });
  });
});
