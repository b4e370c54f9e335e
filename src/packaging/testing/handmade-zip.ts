import { crc32, deflateRawSync } from 'node:zlib';

/** Fields common to both headers of an entry. */
export interface HandmadeHeader {
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  name: Buffer;
  extra: Buffer;
}

/** An entry of a handmade ZIP; missing values get correct defaults. */
export interface HandmadeEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** Compressed bytes, if they should not match `content`. */
  data?: Buffer;
  method?: number;
  flags?: number;
  /** Unix mode. */
  mode?: number;
  /** Extra fields of both headers. */
  extra?: Buffer;
  local?: Partial<HandmadeHeader>;
  central?: Partial<HandmadeHeader> & { offset?: number; disk?: number };
  /** Bytes after the data, such as a data descriptor. */
  after?: Buffer;
  /** Omits the local header: the central directory entry points to another entry. */
  listedOnly?: boolean;
}

/** Data around the entries. */
export interface HandmadeOptions {
  lead?: Buffer;
  comment?: Buffer;
  trail?: Buffer;
  beforeEnd?: Buffer;
  end?: { disk?: number; directoryDisk?: number; entriesHere?: number; count?: number; directoryBytes?: number; directoryOffset?: number };
}

/** Data descriptor as written after a streamed entry. */
export function descriptor(crc: number, compressedSize: number, size: number, signed = true): Buffer {
  return Buffer.concat([signed ? u32(0x08074b50) : Buffer.alloc(0), u32(crc), u32(compressedSize), u32(size)]);
}

/** An extra field. */
export function extraField(kind: number, content: Buffer): Buffer {
  return Buffer.concat([u16(kind), u16(content.length), content]);
}

/** Builds a ZIP byte by byte (APPNOTE 4.3), so that any field can be wrong. */
export function handmadeZip(entries: readonly HandmadeEntry[], options: HandmadeOptions = {}): Buffer {
  const parts: Buffer[] = [options.lead ?? Buffer.alloc(0)];
  const listed: Buffer[] = [];
  let offset = parts[0]!.length;
  for (const entry of entries) {
    const { header, data } = describe(entry);
    const local = Buffer.concat([localHeader({ ...header, ...entry.local }), data, entry.after ?? Buffer.alloc(0)]);
    const { offset: lie, disk, ...central } = entry.central ?? {};
    listed.push(centralHeader({ ...header, ...central }, lie ?? offset, disk ?? 0, entry.mode ?? 0));
    if (entry.listedOnly) continue;
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(listed);
  const {
    disk = 0,
    directoryDisk = 0,
    entriesHere,
    count = entries.length,
    directoryBytes = directory.length,
    directoryOffset = offset,
  } = options.end ?? {};
  const comment = options.comment ?? Buffer.alloc(0);
  const end = [
    u32(0x06054b50),
    u16(disk),
    u16(directoryDisk),
    u16(entriesHere ?? count),
    u16(count),
    u32(directoryBytes),
    u32(directoryOffset),
    u16(comment.length),
  ];
  return Buffer.concat([...parts, directory, options.beforeEnd ?? Buffer.alloc(0), ...end, comment, options.trail ?? Buffer.alloc(0)]);
}

function describe(entry: HandmadeEntry): { header: HandmadeHeader; data: Buffer } {
  const content = Buffer.from(entry.content ?? '');
  const method = entry.method ?? 0;
  const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
  const header = {
    flags: entry.flags ?? 0,
    method,
    crc: crc32(content),
    compressedSize: data.length,
    size: content.length,
    name: Buffer.from(entry.name),
    extra: entry.extra ?? Buffer.alloc(0),
  };
  return { header, data };
}

function localHeader(header: HandmadeHeader): Buffer {
  return Buffer.concat([
    u32(0x04034b50),
    u16(20),
    ...shared(header),
    u16(header.name.length),
    u16(header.extra.length),
    header.name,
    header.extra,
  ]);
}

function centralHeader(header: HandmadeHeader, offset: number, disk: number, mode: number): Buffer {
  return Buffer.concat([
    ...[u32(0x02014b50), u16((3 << 8) | 20), u16(20), ...shared(header)],
    ...[u16(header.name.length), u16(header.extra.length), u16(0), u16(disk), u16(0), u32((mode << 16) >>> 0), u32(offset)],
    ...[header.name, header.extra],
  ]);
}

function shared({ flags, method, crc, compressedSize, size }: HandmadeHeader): Buffer[] {
  return [u16(flags), u16(method), u16(0), u16(0x21), u32(crc), u32(compressedSize), u32(size)];
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
