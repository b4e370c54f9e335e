import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';

import type * as TarStream from 'tar-stream';

import { whenUsed } from '../../common/index.js';

import type { About, Manifest } from './manifest.js';
import { ENTRIES } from './manifest.js';
import { encrypt } from './recovery-key.js';

const tarStream = whenUsed<typeof TarStream>('tar-stream');

/** Metadata of an entry. */
export type EntryInfo = Partial<Pick<TarStream.Header, 'mode' | 'mtime' | 'type' | 'linkname'>>;

/** Writes an archive to disk: tar, compressed, encrypted. Holds at most one chunk in memory. */
export class ArchiveWriter {
  /** Bytes of content written so far. */
  bytes = 0;
  private readonly tar = tarStream().pack();
  private readonly digest = createHash('sha256');
  private readonly written: Promise<void>;

  /**
   * @param path must not exist yet
   * @param recipient see {@link RecoveryKeys}
   */
  constructor(path: string, recipient: string, signal: AbortSignal) {
    this.written = this.write(path, recipient, signal);
    // The error reaches whoever adds the next entry; nobody may be awaiting it right now.
    this.written.catch((error: Error) => this.tar.destroy(error));
  }

  /** Adds an entry from memory. */
  async addBuffer(name: string, content: Buffer, info: EntryInfo = {}): Promise<void> {
    await this.addStream(name, content.length, Readable.from(content.length > 0 ? [content] : []), info);
  }

  /** Adds an entry from a stream of exactly `size` bytes. */
  async addStream(name: string, size: number, content: Readable, info: EntryInfo = {}): Promise<void> {
    const hash = createHash('sha256');
    const entry = this.tar.entry({ name, size, ...info });
    await Promise.race([
      pipeline(
        content,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            yield chunk;
          }
        },
        entry,
      ),
      // Rejects if the archive cannot be written any further.
      this.written,
    ]);
    this.bytes += size;
    this.digest.update(`${name} ${size} ${hash.digest('hex')}\n`);
  }

  /** Adds a folder or link. */
  addMark(name: string, info: EntryInfo): void {
    this.tar.entry({ name, size: 0, ...info });
  }

  /** Completes the archive; resolves once it is fully on disk. */
  async end(about: About, counts: Pick<Manifest, 'tables' | 'rows' | 'files'>): Promise<Manifest> {
    const manifest: Manifest = { ...about, ...counts, bytes: this.bytes, digest: this.digest.digest('hex') };
    const content = Buffer.from(JSON.stringify(manifest));
    this.tar.entry({ name: ENTRIES.manifest, size: content.length }, content);
    this.tar.finalize();
    await this.written;
    return manifest;
  }

  /** Aborts and closes the file; resolves once nothing writes to it any more. */
  async abandon(): Promise<void> {
    this.tar.destroy(new Error('abandoned'));
    await this.written.catch(() => undefined);
  }

  private async write(path: string, recipient: string, signal: AbortSignal): Promise<void> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    try {
      const gzip = createGzip({ level: 6 });
      const compressed = pipeline(this.tar, gzip, { signal });
      compressed.catch(() => undefined);
      const encrypted = await encrypt(Readable.toWeb(gzip) as unknown as globalThis.ReadableStream<Uint8Array>, recipient);
      await pipeline(Readable.fromWeb(encrypted as unknown as ReadableStream<Uint8Array>), file, { signal });
      await compressed;
    } finally {
      if (!file.closed) await finished(file.destroy()).catch(() => undefined);
    }
  }
}
