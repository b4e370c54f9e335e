import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FAKE_S3, FakeS3 } from '../testing/fake-s3.js';

import { IncomingPackages } from './incoming-packages.js';
import { LocalPackageStorage } from './local-storage.js';
import type { DigestedFile, PackageStorage, StoredPackage } from './package-storage.js';
import { S3PackageStorage } from './s3-storage.js';
import { StorageError } from '../../../common/index.js';

const HOUR = 3_600_000;
const UNKNOWN = 'f'.repeat(64);
let folder: string;
let incoming: IncomingPackages;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-storage-'));
  incoming = new IncomingPackages(join(folder, 'incoming'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Reads a package to its end; chunks are used again. */
async function textOf({ chunks, close }: StoredPackage): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  await close();
  return text;
}

const receive = (content: string): Promise<DigestedFile> => incoming.receive(Readable.from([Buffer.from(content)]));
const files = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true })).filter((name) => /\.(?:zip|part)$/.test(name)).sort();

async function code(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageError);
  return (error as StorageError).code;
}

interface Place {
  storage: PackageStorage;
  age(sha256: string): Promise<void>;
  stop(): Promise<void>;
  s3?: FakeS3;
}

const places: [string, () => Promise<Place>][] = [
  [
    'folder',
    async () => ({
      storage: new LocalPackageStorage(join(folder, 'packages')),
      age: (sha256) => utimes(join(folder, 'packages', sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.zip`), new Date(0), new Date(0)),
      stop: async () => undefined,
    }),
  ],
  [
    'S3',
    async () => {
      const s3 = new FakeS3();
      const endpoint = await s3.start();
      return {
        s3,
        storage: new S3PackageStorage({ ...FAKE_S3, endpoint, prefix: 'pack ages/' }, join(folder, 'work')),
        age: async (sha256) =>
          void (s3.objects.get(`pack ages/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.zip`)!.changed = new Date(0)),
        stop: () => s3.stop(),
      };
    },
  ],
];

describe.each(places)('packages in a %s', (_name, start) => {
  let place: Place;
  let storage: PackageStorage;
  beforeEach(async () => {
    place = await start();
    storage = place.storage;
  });
  afterEach(async () => {
    expect(place.s3?.refusals.filter((refusal) => !/NoSuchKey|InvalidRange|InternalError/.test(refusal)) ?? []).toEqual([]);
    await place.stop();
  });

  it('stores a package and returns it whole and in parts', async () => {
    const upload = await receive('0123456789');
    expect(await storage.size(upload.sha256)).toBeNull();
    await storage.store(upload);
    await incoming.discard(upload);
    expect(await storage.size(upload.sha256)).toBe(10);
    const whole = await storage.open(upload.sha256);
    expect([whole.size, whole.range, await textOf(whole)]).toEqual([10, { start: 0, end: 9 }, '0123456789']);
    const part = await storage.open(upload.sha256, { start: 3, end: 5 });
    expect([part.size, part.range, await textOf(part)]).toEqual([10, { start: 3, end: 5 }, '345']);
    const rest = await storage.open(upload.sha256, { start: 8, end: 500 });
    expect([rest.range, await textOf(rest)]).toEqual([{ start: 8, end: 9 }, '89']);
    expect(await storage.withFile(upload.sha256, (path) => readFile(path, 'utf8'))).toBe('0123456789');
    await storage.remove(upload.sha256);
    await storage.remove(upload.sha256);
    expect(await storage.size(upload.sha256)).toBeNull();
    expect(await files(folder)).toEqual([]);
  });

  it('stores the same package once, even concurrently', async () => {
    const uploads = await Promise.all(Array.from({ length: 5 }, () => receive('same')));
    await Promise.all(uploads.map((upload) => storage.store(upload)));
    await Promise.all(uploads.map((upload) => incoming.discard(upload)));
    expect(await storage.withFile(uploads[0]!.sha256, (path) => readFile(path, 'utf8'))).toBe('same');
    expect((await files(folder)).length).toBe(place.s3 ? 0 : 1);
  });

  it('reports missing packages, and accepts only digests', async () => {
    const upload = await receive('0123456789');
    await storage.store(upload);
    expect(await code(storage.open(UNKNOWN))).toBe('NOT_FOUND');
    expect(await code(storage.withFile(UNKNOWN, async () => 1))).toBe('NOT_FOUND');
    for (const wrong of ['../../etc/passwd', '', 'F'.repeat(64), `${UNKNOWN}/x`]) {
      expect(await code(storage.open(wrong))).toBe('NOT_FOUND');
    }
    for (const range of [
      { start: 10, end: 12 },
      { start: 5, end: 4 },
      { start: -1, end: 4 },
      { start: 0.5, end: 4 },
    ]) {
      expect(await code(storage.open(upload.sha256, range))).toBe('RANGE');
    }
  });

  it('removes unused packages once they are old', async () => {
    const uploads = await Promise.all(['needed', 'old', 'older', 'oldest', 'young', 'renewed'].map((content) => receive(content)));
    const [needed, old, older, oldest, young, renewed] = uploads.map(({ sha256 }) => sha256) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    for (const upload of uploads) await storage.store(upload);
    for (const digest of [needed, old, older, oldest, renewed]) await place.age(digest);
    await storage.store(uploads[5]!);
    expect(await storage.sweep({ inUse: new Set([needed]), minimumAgeMs: HOUR })).toBe(3);
    expect(
      await Promise.all([needed, old, older, oldest, young, renewed].map(async (digest) => (await storage.size(digest)) !== null)),
    ).toEqual([true, false, false, false, true, true]);
    expect(await storage.sweep({ inUse: async () => new Set([needed]), minimumAgeMs: 0 })).toBe(2);
  });
});

describe('IncomingPackages', () => {
  it('hashes the upload while it arrives', async () => {
    const upload = await receive('content');
    expect(upload).toMatchObject({ size: 7, sha256: createHash('sha256').update('content').digest('hex') });
    expect(await readFile(upload.path, 'utf8')).toBe('content');
  });

  it('leaves no files behind if it is too long, breaks off, or is aborted', async () => {
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc((given += 1) && 1024);
      })(),
    );
    expect(await code(incoming.receive(endless, { maxBytes: 10_000 }))).toBe('TOO_LARGE');
    expect(given).toBeLessThan(100);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('begin');
        throw new Error('connection reset');
      })(),
    );
    expect(await code(incoming.receive(broken))).toBe('ABORTED');
    const controller = new AbortController();
    const silent = new Readable({ read: () => controller.abort() });
    expect(await code(incoming.receive(silent, { signal: controller.signal }))).toBe('ABORTED');
    expect(silent.destroyed).toBe(true);
    expect(await files(folder)).toEqual([]);
  });

  it('sweeps leftovers of a crash', async () => {
    await receive('young');
    const old = await receive('old');
    await utimes(old.path, new Date(0), new Date(0));
    await writeFile(join(folder, 'incoming', 'other.txt'), '');
    expect(await incoming.sweep(HOUR)).toBe(1);
    expect(await files(folder)).toHaveLength(1);
  });
});

describe('S3PackageStorage', () => {
  it('reports that the service is unreachable, refuses, or breaks off', async () => {
    const s3 = new FakeS3();
    const endpoint = await s3.start();
    const storage = new S3PackageStorage({ ...FAKE_S3, endpoint }, join(folder, 'work'));
    const upload = await receive('content');
    s3.fail = 500;
    const { sha256 } = upload;
    for (const work of [
      () => storage.store(upload),
      () => storage.size(sha256),
      () => storage.open(sha256),
      () => storage.remove(sha256),
      () => storage.sweep({ inUse: new Set(), minimumAgeMs: 0 }),
    ]) {
      expect(await code(work())).toBe('UNAVAILABLE');
    }
    s3.fail = null;
    const stranger = new S3PackageStorage({ ...FAKE_S3, secretAccessKey: 'wrong', endpoint }, join(folder, 'work'));
    expect(await code(stranger.store(upload))).toBe('UNAVAILABLE');
    expect(await code(storage.store({ ...upload, sha256: UNKNOWN }))).toBe('UNAVAILABLE');
    expect(s3.refusals.slice(-2)).toEqual(['SignatureDoesNotMatch', 'XAmzContentSHA256Mismatch']);
    expect(s3.objects.size).toBe(0);
    await s3.stop();
    expect(await code(storage.store(upload))).toBe('UNAVAILABLE');
    expect(await code(storage.size(upload.sha256))).toBe('UNAVAILABLE');
  });
});
