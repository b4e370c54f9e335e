import { PackageRefusal } from '../package-refusal.js';

import type { Directory, DirectoryEntry } from './directory.js';
import { decodeName } from './entry-name.js';
import { EXTRA, readExtraFields } from './extra-fields.js';
import type { ZipFile } from './zip-file.js';
import { readSize, zip64Values } from './zip64.js';

const SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HEADER_BYTES = 30;
const DESCRIPTOR_FLAG = 1 << 3;
/** Flags that must be equal in both headers: encryption, descriptor, patch, strong encryption, UTF-8, masked headers. */
const COMPARED_FLAGS = 0x0001 | DESCRIPTOR_FLAG | 0x0020 | 0x0040 | 0x0800 | 0x2000;

/** An entry with consistent headers, and the offset of its data. */
export interface LocatedEntry extends DirectoryEntry {
  readonly dataOffset: number;
}

/**
 * Reads all local headers and compares them with the central directory. The entries must cover the file up to the directory without gaps or
 * overlaps, so that no byte is ambiguous or hidden.
 *
 * @throws PackageRefusal HEADER_MISMATCH, OVERLAP, HIDDEN_DATA, UNREADABLE, ZIP64
 */
export async function locateEntries(file: ZipFile, directory: Directory): Promise<LocatedEntry[]> {
  const order = [...directory.entries].sort((a, b) => a.headerOffset - b.headerOffset);
  const located = new Map<DirectoryEntry, LocatedEntry>();
  let free = 0;
  for (const [i, entry] of order.entries()) {
    // Entries with equal offsets or overlaps fail at the limit below.
    if (entry.headerOffset !== free) throw new PackageRefusal('HIDDEN_DATA', entry.name);
    const limit = Math.min(order[i + 1]?.headerOffset ?? directory.offset, directory.offset);
    const dataOffset = await readLocalHeader(file, entry, limit);
    await checkDescriptor(file, entry, dataOffset + entry.compressedSize, limit);
    located.set(entry, { ...entry, dataOffset });
    free = limit;
  }
  return directory.entries.map((entry) => located.get(entry)!);
}

/** @returns offset of the data; header and data must end before `limit` */
async function readLocalHeader(file: ZipFile, entry: DirectoryEntry, limit: number): Promise<number> {
  const { name, headerOffset } = entry;
  if (headerOffset + HEADER_BYTES > limit) throw new PackageRefusal('OVERLAP', name);
  const fixed = await file.read(headerOffset, HEADER_BYTES);
  if (fixed.readUInt32LE(0) !== SIGNATURE) throw new PackageRefusal('HEADER_MISMATCH', name);
  const [nameBytes, extraBytes] = [fixed.readUInt16LE(26), fixed.readUInt16LE(28)];
  const dataOffset = headerOffset + HEADER_BYTES + nameBytes + extraBytes;
  if (dataOffset + entry.compressedSize > limit) throw new PackageRefusal('OVERLAP', name);
  const rest = await file.read(headerOffset + HEADER_BYTES, nameBytes + extraBytes);
  const rawName = rest.subarray(0, nameBytes);
  const fields = readExtraFields(rest.subarray(nameBytes), name);
  // In a local header the field contains both sizes or is missing (APPNOTE 4.5.3).
  const [size, compressedSize] = zip64Values([fixed.readUInt32LE(22), fixed.readUInt32LE(18)], fields, name) as [number, number];
  if (fields.has(EXTRA.aes) || fields.has(EXTRA.strongEncryption)) throw new PackageRefusal('ENCRYPTED', name);
  const agrees =
    rawName.equals(entry.rawName) &&
    ((fixed.readUInt16LE(6) ^ entry.flags) & COMPARED_FLAGS) === 0 &&
    fixed.readUInt16LE(8) === entry.method &&
    (!fields.has(EXTRA.unicodePath) || decodeName(rawName, entry.flags, fields) === name) &&
    valuesAgree(entry, [fixed.readUInt32LE(14), compressedSize, size]);
  if (!agrees) throw new PackageRefusal('HEADER_MISMATCH', name);
  return dataOffset;
}

/** With a data descriptor, header values may be 0. */
function valuesAgree(entry: DirectoryEntry, values: readonly number[]): boolean {
  const zeroAllowed = (entry.flags & DESCRIPTOR_FLAG) !== 0;
  return [entry.crc, entry.compressedSize, entry.size].every((value, i) => values[i] === value || (zeroAllowed && values[i] === 0));
}

/** Checks the bytes between an entry's data and the next entry: its data descriptor if it has one (APPNOTE 4.3.9), else nothing. */
async function checkDescriptor(file: ZipFile, entry: DirectoryEntry, dataEnd: number, limit: number): Promise<void> {
  const { name } = entry;
  const length = limit - dataEnd;
  if ((entry.flags & DESCRIPTOR_FLAG) === 0) {
    if (length !== 0) throw new PackageRefusal('HIDDEN_DATA', name);
    return;
  }
  // With or without signature; ZIP64 descriptors have eight-byte sizes.
  const wide = length === 20 || length === 24;
  if (length !== 12 && length !== 16 && !wide) throw new PackageRefusal(length < 12 ? 'HEADER_MISMATCH' : 'HIDDEN_DATA', name);
  const bytes = await file.read(dataEnd, length);
  const at = length % 8 === 4 ? 0 : 4;
  const signed = at === 0 || bytes.readUInt32LE(0) === DESCRIPTOR_SIGNATURE;
  const [compressedSize, size] = wide
    ? [readSize(bytes, at + 4, name), readSize(bytes, at + 12, name)]
    : [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
  const agrees = bytes.readUInt32LE(at) === entry.crc && compressedSize === entry.compressedSize && size === entry.size;
  if (!signed || !agrees) throw new PackageRefusal('HEADER_MISMATCH', name);
}
