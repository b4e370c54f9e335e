import { createReadStream } from 'node:fs';
import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

import { PackageRefusal } from '../package-refusal.js';

import type { LocatedEntry } from './local-headers.js';

/** Bytes per step; keeps memory small and the event loop responsive. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Opens the unpacked content of an entry: fails at the first byte over the declared size, and at the end unless size and CRC match and all
 * compressed bytes were used. Uses Node's zlib, because libraries for whole ZIPs (unzipper, yauzl) lack some of these checks and adding
 * them would cost more than this. Checked packages are read and installed with unzipper and verified against the digests taken here: see
 * `KeptPackage`.
 *
 * @returns a stream that fails with PackageRefusal CONTENT_CORRUPT, CONTENT_SIZE or CONTENT_CHECKSUM
 */
export function openContent(path: string, entry: LocatedEntry): Readable {
  const { dataOffset, compressedSize, method } = entry;
  const packed =
    compressedSize === 0
      ? Readable.from([])
      : createReadStream(path, { start: dataOffset, end: dataOffset + compressedSize - 1, highWaterMark: CHUNK_BYTES });
  const ignore = (): void => undefined; // The check is last in the chain and is destroyed with the error.
  if (method === 0) return pipeline(packed, new ContentCheck(entry, () => entry.compressedSize), ignore);
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  return pipeline(packed, inflate, new ContentCheck(entry, () => inflate.bytesWritten), ignore);
}

class ContentCheck extends Transform {
  private received = 0;
  private checksum = 0;

  constructor(
    private readonly entry: LocatedEntry,
    private readonly packedBytesUsed: () => number,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length;
    if (this.received > this.entry.size) return done(new PackageRefusal('CONTENT_SIZE', this.entry.name));
    this.checksum = crc32(chunk, this.checksum);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const { name, size, crc, compressedSize } = this.entry;
    if (this.received !== size) return done(new PackageRefusal('CONTENT_SIZE', name));
    if (this.packedBytesUsed() !== compressedSize) return done(new PackageRefusal('HIDDEN_DATA', name));
    done(this.checksum === crc ? null : new PackageRefusal('CONTENT_CHECKSUM', name));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const corrupt = (error as NodeJS.ErrnoException | null)?.code?.startsWith('Z_') === true;
    done(corrupt ? new PackageRefusal('CONTENT_CORRUPT', this.entry.name, {}, { cause: error }) : error);
  }
}
