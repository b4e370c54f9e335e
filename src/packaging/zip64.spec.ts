import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PackageContents } from './package-contents.js';
import { PackageRefusal } from './package-refusal.js';
import { extraField, handmadeZip, type HandmadeEntry, type HandmadeOptions } from './testing/handmade-zip.js';
import { writeRealZip } from './testing/real-zip.js';

const POINTER = 0xffffffff;
const CONTENT = Buffer.from('module.exports = 1;');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-zip64-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const wide = (...values: (number | bigint)[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), i * 8));
  return bytes;
};
const field = (...values: (number | bigint)[]): Buffer => extraField(1, wide(...values));

/** The ZIP64 record and its locator, as they lie before the end record. */
function records(
  at: number,
  {
    count = 1,
    bytes,
    offset,
    locator = at,
    disks = 1,
    size = 44,
  }: { count?: number | bigint; bytes: number; offset: number; locator?: number; disks?: number; size?: number },
): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(BigInt(size), 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  wide(count, count, bytes, offset).copy(record, 24);
  const pointer = Buffer.alloc(20);
  pointer.write('PK\x06\x07', 'latin1');
  pointer.writeBigUInt64LE(BigInt(locator), 8);
  pointer.writeUInt32LE(disks, 16);
  return Buffer.concat([record, pointer]);
}

/** One entry, its sizes and place in ZIP64 fields. */
const entry: HandmadeEntry = {
  name: 'demo/index.js',
  content: CONTENT,
  local: { size: POINTER, compressedSize: POINTER, extra: field(CONTENT.length, CONTENT.length) },
  central: { size: POINTER, compressedSize: POINTER, offset: POINTER, extra: field(CONTENT.length, CONTENT.length, 0) },
};
const localBytes = 30 + 13 + 20 + CONTENT.length;
const directoryBytes = 46 + 13 + 28;

async function read(zip: Buffer): Promise<string> {
  const path = join(folder, 'a.zip');
  await writeFile(path, zip);
  try {
    const contents = await PackageContents.open(path);
    return contents.entries.map(({ path: name, size }) => `${name}:${size}`).join();
  } catch (error) {
    if (!(error instanceof PackageRefusal)) throw error;
    return error.code;
  }
}

const withRecords = (
  changes: Partial<Parameters<typeof records>[1]> = {},
  end: HandmadeOptions['end'] = { count: 0xffff, entriesHere: 0xffff, directoryBytes: POINTER, directoryOffset: POINTER },
): Buffer =>
  handmadeZip([entry], { beforeEnd: records(localBytes + directoryBytes, { bytes: directoryBytes, offset: localBytes, ...changes }), end });

describe('ZIP64', () => {
  it('is read as a library writes it, and by hand', async () => {
    expect(await read(await readFile(await writeRealZip(join(folder, 'real.zip'), { 'demo/index.js': CONTENT }, true, true)))).toBe(
      'index.js:19',
    );
    expect(await read(withRecords())).toBe('index.js:19');
    // The end record may say the values themselves.
    expect(await read(withRecords({}, {}))).toBe('index.js:19');
    // Fields alone, as Python writes them where it does not know the size beforehand.
    expect(await read(handmadeZip([{ ...entry, central: {} }]))).toBe('index.js:19');
  });

  it('descriptors have eight bytes for each size, signed or not', async () => {
    const crc = Buffer.alloc(4);
    crc.writeUInt32LE(crc32(CONTENT));
    const descriptor = Buffer.concat([crc, wide(CONTENT.length, CONTENT.length)]);
    const streamed = (after: Buffer): Promise<string> =>
      read(
        handmadeZip([
          { ...entry, flags: 8, local: { crc: 0, size: POINTER, compressedSize: POINTER, extra: field(0, 0) }, central: {}, after },
        ]),
      );
    expect(await streamed(descriptor)).toBe('index.js:19');
    expect(await streamed(Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), descriptor]))).toBe('index.js:19');
    expect(await streamed(Buffer.concat([crc, wide(CONTENT.length, 7)]))).toBe('HEADER_MISMATCH');
  });

  it.each<[string, () => Buffer, string]>([
    ['a pointer without its record', () => handmadeZip([entry], { end: { directoryOffset: POINTER } }), 'ZIP64'],
    ['a pointer without its field', () => handmadeZip([{ ...entry, central: { size: POINTER } }]), 'ZIP64'],
    [
      'a field that is too short',
      () => handmadeZip([{ ...entry, central: { ...entry.central, extra: field(CONTENT.length, CONTENT.length) } }]),
      'ZIP64',
    ],
    [
      'a field with more than points to it',
      () => handmadeZip([{ ...entry, central: { size: POINTER, extra: field(CONTENT.length, CONTENT.length) } }]),
      'ZIP64',
    ],
    ['a field nothing points to', () => handmadeZip([{ name: 'demo/a', content: 'a', extra: field(1, 1) }]), 'ZIP64'],
    [
      'another size in the local field',
      () => handmadeZip([{ ...entry, local: { ...entry.local, extra: field(7, CONTENT.length) } }]),
      'HEADER_MISMATCH',
    ],
    [
      'a size beyond the limits',
      () => handmadeZip([{ ...entry, method: 8, central: { ...entry.central, extra: field(11_000_000, 21, 0) } }]),
      'FILE_TOO_LARGE',
    ],
    ['a size no file can have', () => handmadeZip([{ ...entry, central: { ...entry.central, extra: field(2n ** 63n, 1, 0) } }]), 'ZIP64'],
    ['a huge count', () => withRecords({ count: 2 ** 40 }), 'TOO_MANY_FILES'],
    ['a count no file can have', () => withRecords({ count: 2n ** 64n - 1n }), 'ZIP64'],
    ['another count than there are', () => withRecords({ count: 2 }), 'UNREADABLE'],
    ['records that contradict each other', () => withRecords({}, { count: 2, entriesHere: 2 }), 'ZIP64'],
    ['a locator that points elsewhere', () => withRecords({ locator: 0 }), 'ZIP64'],
    ['several disks', () => withRecords({ disks: 2 }), 'ZIP64'],
    ['a record with data of its own', () => withRecords({ size: 100 }), 'ZIP64'],
    ['a list that begins elsewhere', () => withRecords({ offset: localBytes - 1 }), 'HIDDEN_DATA'],
  ])('%s is refused', async (_name, zip, code) => {
    expect(await read(zip())).toBe(code);
  });
});
