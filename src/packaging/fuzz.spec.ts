import { createHash, hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { crc32 } from 'node:zlib';

import fc from 'fast-check';
import { Open } from 'unzipper';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { KeptPackage } from './kept-package.js';
import { PackageContents } from './package-contents.js';
import { PackageRefusal } from './package-refusal.js';
import { descriptor, handmadeZip } from './testing/handmade-zip.js';
import { mutate, mutations } from './testing/mutate-zip.js';
import { writeRealZip } from './testing/real-zip.js';

/** More by `FUZZ_RUNS=100000 npm run fuzz:packages`. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2_500);

let folder: string;
const seeds: Buffer[] = [];
const counts = new Map<string, number>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-fuzz-'));
  const files = {
    'demo/': '',
    'demo/plugin.json': '{"id":"demo"}',
    'demo/index.js': 'module.exports = () => {};\n'.repeat(20),
    'demo/lib/a.txt': 'a',
    'demo/lib/empty': '',
  };
  for (const compress of [true, false]) seeds.push(await readFile(await writeRealZip(join(folder, 'seed.zip'), files, compress)));
  seeds.push(
    await readFile(
      await writeRealZip(
        join(folder, 'seed.zip'),
        { 'demo/plugin.json': '{"id":"demo"}', 'demo/index.js': 'module.exports = 1;' },
        true,
        true,
      ),
    ),
  );
  const [content, packed] = [Buffer.from('streamed'), Buffer.from('streamed')];
  const after = descriptor(crc32(content), packed.length, content.length);
  seeds.push(
    handmadeZip(
      [
        { name: 'demo/a', content, flags: 8, local: { crc: 0, size: 0, compressedSize: 0 }, after },
        { name: 'demo/b', content: 'b'.repeat(300), method: 8 },
      ],
      { comment: Buffer.from('hello') },
    ),
  );
});
afterAll(async () => {
  if (process.env.FUZZ_RUNS)
    process.stdout.write(
      `${[...counts]
        .sort((a, b) => b[1] - a[1])
        .map(([what, n]) => `${String(n).padStart(8)}  ${what}`)
        .join('\n')}\n`,
    );
  await rm(folder, { recursive: true, force: true });
});

/**
 * What a library that knows nothing of our rules finds in the ZIP, with what it leaves unchecked: checksums, sizes, and the
 * names a reader sees that goes through the file from its beginning.
 */
async function readIndependently(zip: Buffer): Promise<Map<string, string>> {
  const { files } = await Open.buffer(zip);
  const found = new Map<string, string>();
  for (const file of files) {
    const at = file.offsetToLocalFileHeader;
    const content = file.path.endsWith('/') ? Buffer.alloc(0) : await file.buffer();
    expect([content.length, crc32(content)]).toEqual([file.uncompressedSize, file.crc32]);
    expect(zip.subarray(at + 30, at + 30 + zip.readUInt16LE(at + 26))).toEqual(file.pathBuffer);
    if (!file.path.endsWith('/')) found.set(file.path, createHash('sha256').update(content).digest('hex'));
  }
  return found;
}

/** Names and digests of what a panel has on its disk after it has installed the package. */
async function installed({ path, entries }: PackageContents): Promise<[string, string][]> {
  const to = await mkdtemp(join(folder, 'to-'));
  await KeptPackage.use(path, entries, (kept) => kept.extract(to));
  const found = (await readdir(to, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  const all = await Promise.all(
    paths.map(async (file): Promise<[string, string]> => [relative(to, file), hash('sha256', await readFile(file))]),
  );
  await rm(to, { recursive: true });
  return all;
}

describe('a damaged or forged ZIP', () => {
  it(
    'is refused, or is read exactly as another library reads it; it never crashes or hangs the reader',
    { timeout: 60_000 + RUNS * 60 },
    async () => {
      const property = fc.asyncProperty(fc.nat(3), mutations, async (seed, changes) => {
        const zip = mutate(seeds[seed]!, changes);
        const path = join(folder, 'mutant.zip');
        await writeFile(path, zip);
        let outcome = 'accepted';
        try {
          const contents = await PackageContents.open(path);
          const own = new Map<string, string>();
          for (const entry of contents) {
            expect(entry.path).not.toMatch(/(?:^|[\\/])\.\.|^[\\/]|\0|\\/);
            expect((await contents.readEntry(entry)).length).toBe(entry.size);
            own.set(`${contents.root}/${entry.path}`, entry.sha256);
          }
          for (const entry of contents.ignored) own.set(entry.path, entry.sha256);
          const ascii = ([name]: [string, string]): boolean => /^[\x20-\x7e]*$/.test(name);
          expect([...own].filter(ascii).sort()).toEqual([...(await readIndependently(zip))].filter(ascii).sort());
          expect((await installed(contents)).sort()).toEqual(contents.entries.map(({ path: name, sha256 }) => [name, sha256]).sort());
        } catch (error) {
          if (!(error instanceof PackageRefusal)) throw error;
          outcome = error.code;
        }
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      });
      await fc.assert(property, { numRuns: RUNS, timeout: 10_000 });
      // Something of both must have happened, or the test shows nothing.
      expect(counts.get('accepted') ?? 0).toBeGreaterThan(RUNS / 100);
      expect(counts.size).toBeGreaterThan(8);
    },
  );
});
