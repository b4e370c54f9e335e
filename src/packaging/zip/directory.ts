import { PACKAGE_LIMITS } from '../package-limits.js';
import { PackageRefusal } from '../package-refusal.js';

import { readEndRecord } from './end-record.js';
import { decodeName } from './entry-name.js';
import { EXTRA, readExtraFields } from './extra-fields.js';
import type { ZipFile } from './zip-file.js';
import { zip64Values } from './zip64.js';

const SIGNATURE = 0x02014b50;
const HEADER_BYTES = 46;
/** Bit 0 encrypted, 6 strong encryption, 13 masked headers (APPNOTE 4.4.4). */
const ENCRYPTION_FLAGS = 0x0001 | 0x0040 | 0x2000;
const PATCH_FLAG = 0x0020;
const STORED = 0;
const DEFLATED = 8;
const AES = 99;

/** File types in a Unix file mode (stat.h). */
const MODE = { type: 0o170000, regular: 0o100000, folder: 0o040000 } as const;

/** An entry in the central directory. */
export interface DirectoryEntry {
  readonly rawName: Buffer;
  /** Decoded name; a folder's ends with `/`. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly flags: number;
  /** 0 stored or 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of its local header. */
  readonly headerOffset: number;
}

/** Central directory and its offset. */
export interface Directory {
  readonly entries: readonly DirectoryEntry[];
  readonly offset: number;
}

/**
 * Reads the central directory and checks each entry: type, encryption, method, declared sizes.
 *
 * @throws PackageRefusal those of {@link readEndRecord}, {@link decodeName} and {@link zip64Values}, ENCRYPTED, METHOD, LINK,
 *   FILE_TOO_LARGE
 */
export async function readDirectory(file: ZipFile): Promise<Directory> {
  const end = await readEndRecord(file);
  const bytes = await file.read(end.directoryOffset, end.directoryBytes);
  const entries: DirectoryEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const next = endOfHeader(bytes, at);
    entries.push(readEntry(bytes.subarray(at, next)));
    at = next;
  }
  if (entries.length !== end.entryCount) throw new PackageRefusal('UNREADABLE');
  return { entries, offset: end.directoryOffset };
}

function endOfHeader(bytes: Buffer, at: number): number {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== SIGNATURE) throw new PackageRefusal('UNREADABLE');
  const end = at + HEADER_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  if (end > bytes.length) throw new PackageRefusal('UNREADABLE');
  return end;
}

function readEntry(header: Buffer): DirectoryEntry {
  const nameEnd = HEADER_BYTES + header.readUInt16LE(28);
  const rawName = header.subarray(HEADER_BYTES, nameEnd);
  const fields = readExtraFields(header.subarray(nameEnd, nameEnd + header.readUInt16LE(30)), rawName.toString('latin1'));
  const flags = header.readUInt16LE(8);
  const name = decodeName(rawName, flags, fields);
  const [size, compressedSize, headerOffset] = zip64Values(
    [header.readUInt32LE(24), header.readUInt32LE(20), header.readUInt32LE(42)],
    fields,
    name,
  ) as [number, number, number];
  const entry = {
    rawName,
    name,
    isFolder: name.endsWith('/'),
    flags,
    method: header.readUInt16LE(10),
    crc: header.readUInt32LE(16),
    compressedSize,
    size,
    headerOffset,
  };
  checkMethod(entry, fields);
  checkSizes(entry, header.readUInt16LE(34));
  checkKind(entry, header.readUInt32LE(38) >>> 16);
  const asi = fields.get(EXTRA.asiUnix);
  if (asi) checkKind(entry, asi.length >= 6 ? asi.readUInt16LE(4) : MODE.type);
  return entry;
}

function checkMethod({ name, flags, method }: DirectoryEntry, fields: ReadonlyMap<number, Buffer>): void {
  const encrypted = (flags & ENCRYPTION_FLAGS) !== 0 || method === AES || fields.has(EXTRA.aes) || fields.has(EXTRA.strongEncryption);
  if (encrypted) throw new PackageRefusal('ENCRYPTED', name);
  if ((method !== STORED && method !== DEFLATED) || (flags & PATCH_FLAG) !== 0) throw new PackageRefusal('METHOD', name, { method });
}

function checkSizes(entry: DirectoryEntry, disk: number): void {
  const { name, size, compressedSize } = entry;
  if (disk !== 0) throw new PackageRefusal('MULTI_DISK', name);
  if (size > PACKAGE_LIMITS.fileBytes) throw new PackageRefusal('FILE_TOO_LARGE', name);
  if ((entry.isFolder && size > 0) || (entry.method === STORED && size !== compressedSize))
    throw new PackageRefusal('HEADER_MISMATCH', name);
}

/** Allows only files and folders: no links, devices, pipes or sockets; a folder's name ends with `/`. */
function checkKind({ name, isFolder }: DirectoryEntry, mode: number): void {
  const type = mode & MODE.type;
  if (type === 0) return;
  if (type !== MODE.regular && type !== MODE.folder) throw new PackageRefusal('LINK', name);
  if (isFolder !== (type === MODE.folder)) throw new PackageRefusal('HEADER_MISMATCH', name);
}
