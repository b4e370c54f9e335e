import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { KeptPackage } from './kept-package.js';
import { PACKAGE_LIMITS } from './package-limits.js';
import type { PackageForm } from './package-manifest.js';
import { readPackage, type ReadPackage } from './read-package.js';
import { descriptor, handmadeZip } from './testing/handmade-zip.js';
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

  it('refuses scripts of a theme that it does not name, or that no panel would run', async () => {
    const theme: PackageForm = { type: 'theme', slug: 'demo', name: 'Demo', version: '1.0.0' };
    const found = async (scripts: unknown, files: Record<string, string | Buffer>): Promise<[string, boolean, string?][]> => {
      const json = JSON.stringify({ name: 'demo', title: 'Demo', version: '1.0.0', scripts });
      const named = Object.entries(files).map(([path, content]) => [`demo/${path}`, content] as const);
      const all = { 'demo/theme.json': json, 'demo/home/index.liquid': 'x', ...Object.fromEntries(named) };
      return (await read(all, theme)).manifest.problems.map(
        ({ code, fatal, file }) => [code, fatal, ...(file ? [file] : [])] as [string, boolean],
      );
    };
    const SEA = { file: 'scripts/sea.js' };
    expect(await found([{ ...SEA, sides: ['home'], purpose: 'Waves' }], { 'scripts/sea.js': 'a' })).toEqual([]);
    expect(await found('scripts/sea.js', {})).toEqual([['script_field', true]]);
    expect(await found([{ ...SEA, async: true }], {})).toEqual([['script_field', true]]);
    expect(await found([SEA], {})).toEqual([['script_missing', true, 'scripts/sea.js']]);
    expect(await found([SEA], { 'scripts/sea.js': 'a'.repeat(40_001) })).toEqual([['script_size', true, 'scripts/sea.js']]);
    expect(await found([SEA], { 'scripts/sea.js': Buffer.from([0xff]) })).toEqual([['script_text', true, 'scripts/sea.js']]);
    expect(await found([SEA], { 'scripts/sea.js': '"</script>"' })).toEqual([['script_end', true, 'scripts/sea.js']]);
    expect(await found(undefined, { 'scripts/sea.js': 'a', 'assets/a.js': 'a', 'src/theme.js': 'a' })).toEqual([
      ['script_place', true, 'scripts/sea.js'],
      ['script_place', true, 'assets/a.js'],
    ]);
    expect(await found(undefined, { 'home/other.liquid': '<p><SCRIPT>a</SCRIPT>' })).toEqual([
      ['script_inline', true, 'home/other.liquid'],
    ]);
    const harmless = '{% script \'app.js\' %}<script type="application/ld+json">{}</script><script src="/app_plugins/a/b.js"></script>';
    expect(await found(undefined, { 'home/other.liquid': harmless })).toEqual([]);
  });
});

describe('KeptPackage', () => {
  const FILES = {
    'demo/': '',
    'demo/plugin.json': JSON.stringify(manifest),
    'demo/lib/main.js': Buffer.alloc(300_000, 'abc'),
    'demo/空.txt': '',
    '__MACOSX/._demo': 'left out',
    'demo/inner.zip': handmadeZip([{ name: 'x', content: 'x' }]),
  };
  const kept = join(tmpdir(), `svc-kept-${process.pid}.zip`);
  afterAll(() => rm(kept, { force: true }));

  it.each([
    [true, false],
    [false, false],
    [true, true],
  ])('reads what the check has read, file by file (compressed: %s, ZIP64: %s)', async (compress, zip64) => {
    const { contents } = await readPackage(await writeRealZip(kept, FILES, compress, zip64), form);
    await KeptPackage.use(kept, contents.entries, async (again) => {
      expect(again.totalSize).toBe(contents.totalSize);
      expect(again.files).toEqual(contents.entries.map(({ path, size, sha256 }) => expect.objectContaining({ path, size, sha256 })));
      for (const entry of contents)
        expect((await again.content(again.file(entry.path)!, 1_000_000)).equals(await contents.readEntry(entry)), entry.path).toBe(true);
      expect((await again.content(again.file('lib/main.js')!, 1_000)).equals(FILES['demo/lib/main.js'].subarray(0, 1_000))).toBe(true);
      expect(again.file('../plugin.json')).toBeUndefined();
    });
  });

  it('reads names of other programs, descriptors and a comment', async () => {
    const zip = handmadeZip(
      [
        { name: Buffer.from('64656d6f2fc4e3bac32e6a73', 'hex'), content: 'gbk' },
        {
          name: 'demo/b.js',
          content: 'b',
          method: 8,
          flags: 8,
          local: { crc: 0, compressedSize: 0, size: 0 },
          after: descriptor(0x71beeff9, 3, 1),
        },
      ],
      { comment: Buffer.from('packed by hand') },
    );
    await writeFile(kept, zip);
    const { contents } = await readPackage(kept, form);
    await KeptPackage.use(kept, contents.entries, async (again) => {
      expect(again.files.map(({ path }) => path)).toEqual(['你好.js', 'b.js']);
      expect(String(await again.content(again.file('你好.js')!, 10))).toBe('gbk');
    });
  });

  it.each([
    [true, false],
    [false, false],
    [true, true],
  ])('unpacks exactly what was checked (compressed: %s, ZIP64: %s)', async (compress, zip64) => {
    const { contents } = await readPackage(await writeRealZip(kept, FILES, compress, zip64), form);
    const to = await mkdtemp(join(folder, 'to-'));
    await KeptPackage.use(kept, contents.entries, (again) => again.extract(to));
    const files = (await readdir(to, { recursive: true, withFileTypes: true })).filter((found) => !found.isDirectory());
    expect(files.length).toBe(contents.entries.length);
    for (const { path, size, sha256 } of contents) {
      const content = await readFile(join(to, path));
      expect([path, content.length, hash('sha256', content), (await stat(join(to, path))).mode & 0o777]).toEqual([
        path,
        size,
        sha256,
        0o644,
      ]);
    }
    // Not into a folder that has something.
    await expect(KeptPackage.use(kept, contents.entries, (again) => again.extract(to))).rejects.toThrow('EEXIST');
  });

  it.each<[string, Record<string, string | Buffer>]>([
    ['another byte', { 'demo/lib/main.js': Buffer.concat([Buffer.alloc(299_999, 'abc'), Buffer.from('x')]) }],
    ['a byte less', { 'demo/lib/main.js': Buffer.alloc(299_999, 'abc') }],
    ['nothing', { 'demo/lib/main.js': '' }],
    ['something in place of nothing', { 'demo/空.txt': 'x' }],
    ['a bomb', { 'demo/lib/main.js': Buffer.alloc(200_000_000) }],
  ])('unpacks no package in which a file is %s by now', async (_what, changed) => {
    const { contents } = await readPackage(await writeRealZip(kept, FILES), form);
    const to = await mkdtemp(join(folder, 'to-'));
    await writeRealZip(kept, { ...FILES, ...changed });
    const [name] = Object.keys(changed) as [string];
    const path = name.replace('demo/', '');
    const before = process.memoryUsage().arrayBuffers;
    await expect(KeptPackage.use(kept, contents.entries, (again) => again.extract(to))).rejects.toThrow(
      `${path} differs from the file that was checked`,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
    expect((await stat(join(to, path))).size).toBeLessThanOrEqual(PACKAGE_LIMITS.fileBytes);
  });

  it('refuses what differs from the file that was checked, and unpacks no bomb', async () => {
    const { contents } = await readPackage(await writeRealZip(kept, FILES, false), form);
    const digests = contents.entries;
    const bytes = await readFile(kept);
    bytes[bytes.indexOf('abcabc') + 5] = 0;
    await writeFile(kept, bytes);
    await KeptPackage.use(kept, digests, async (changed) => {
      await expect(changed.content(changed.file('lib/main.js')!, 1_000_000)).rejects.toThrow(
        'lib/main.js differs from the ' + 'file that was checked',
      );
    });
    await writeRealZip(kept, { ...FILES, 'demo/lib/main.js': Buffer.alloc(50_000_000) });
    await KeptPackage.use(kept, digests, async (bomb) => {
      const before = process.memoryUsage().arrayBuffers;
      expect((await bomb.content(bomb.file('lib/main.js')!, 1_000)).length).toBe(1_000);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
    });
    await writeRealZip(kept, { 'demo/plugin.json': '{}' });
    await expect(KeptPackage.use(kept, digests, () => Promise.resolve())).rejects.toThrow('differs from the one that was checked');
    await writeFile(kept, 'no ZIP at all');
    await expect(KeptPackage.use(kept, digests, () => Promise.resolve())).rejects.toThrow('not a ZIP archive');
    await expect(KeptPackage.use(join(folder, 'gone.zip'), digests, () => Promise.resolve())).rejects.toThrow('ENOENT');
  });
});
