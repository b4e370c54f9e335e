import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PackageForm } from './package-manifest.js';
import { readPackage, type ReadPackage } from './read-package.js';
import { writeRealZip } from './testing/real-zip.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-read-package-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const form: PackageForm = { type: 'plugin', slug: 'demo', name: 'Demo', version: '1.0.0' };
const manifest = { id: 'demo', name: 'Demo', version: '1.0.0', main: './lib/main.js' };

async function read(files: Record<string, string | Buffer>, as: PackageForm = form, compress = true): Promise<ReadPackage> {
  return readPackage(await writeRealZip(join(folder, 'demo.zip'), files, compress), as);
}

async function problems(content: unknown, as?: PackageForm): Promise<[string, boolean][]> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const { manifest: read_ } = await read({ [`demo/${as?.type === 'theme' ? 'theme' : 'plugin'}.json`]: text, 'demo/lib/main.js': '' }, as);
  return read_.problems.map(({ code, fatal }) => [code, fatal]);
}

describe('readPackage', () => {
  it.each([true, false])('gives root, files, digests and content (compressed: %s)', async (compress) => {
    const big = Buffer.alloc(300_000, 'abc');
    const { contents, manifest: read_ } = await read(
      { 'demo/': '', 'demo/plugin.json': JSON.stringify(manifest), 'demo/lib/main.js': big, 'demo/空.txt': '' },
      form,
      compress,
    );
    expect(contents.root).toBe('demo');
    expect(contents.entries.map(({ path, size }) => [path, size])).toEqual([
      ['plugin.json', 68],
      ['lib/main.js', 300_000],
      ['空.txt', 0],
    ]);
    expect(contents.entry('空.txt')!.sha256).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect((await contents.readEntry(contents.entry('lib/main.js')!)).equals(big)).toBe(true);
    expect((await contents.readEntry(contents.entry('lib/main.js')!, 100_000)).equals(big.subarray(0, 100_000))).toBe(true);
    expect(read_).toMatchObject({ file: 'plugin.json', found: true, parsed: manifest, problems: [] });
  });

  it('reads no entry of another package', async () => {
    const one = await read({ 'demo/a.js': 'a' });
    const two = await read({ 'demo/a.js': 'a' });
    expect(() => one.contents.openEntry(two.contents.entry('a.js')!)).toThrow(/another package/);
  });

  it('takes a package without a manifest, and says so', async () => {
    const { manifest: read_ } = await read({ 'demo/index.js': '' });
    expect(read_).toMatchObject({
      found: false,
      parsed: null,
      problems: [{ code: 'missing', fatal: true, params: { manifest: 'plugin.json' } }],
    });
  });

  it('tells what a panel would not install', async () => {
    expect(await problems('{ "id": ')).toEqual([['unreadable', true]]);
    expect(await problems('[]')).toEqual([['unreadable', true]]);
    expect(await problems(`"${'x'.repeat(300_000)}"`)).toEqual([['unreadable', true]]);
    expect(await problems({ ...manifest, main: 'gone.js' })).toEqual([['entry', true]]);
    expect(await problems({ ...manifest, main: '../outside.js' })).toEqual([['entry', true]]);
    expect(await problems({ ...manifest, requires: 'newest', requires_plugins: { shop: 'abc' } })).toEqual([
      ['requires', true],
      ['requires_plugins', true],
    ]);
    expect(await problems({ ...manifest, requires: '^1.84.0', requires_svc: '1.81', requires_plugins: ['shop'] })).toEqual([]);
  });

  it('tells where manifest and form differ', async () => {
    expect(await problems({ ...manifest, id: 'other', name: 'Other', version: '2.0.0' })).toEqual([
      ['slug', true],
      ['name', false],
      ['version', false],
    ]);
    expect(await problems({ main: 'lib/main.js' })).toEqual([['version_missing', false]]);
    const theme: PackageForm = { type: 'theme', slug: 'demo', name: 'Demo', version: '1.0.0' };
    expect(await problems({ name: 'demo', title: 'Demo', version: '1.0.0' }, theme)).toEqual([['no_side', false]]);
  });
});
