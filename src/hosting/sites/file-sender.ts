import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname, extname } from 'node:path';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

import fresh from 'fresh';
import { contentType } from 'mime-types';
import send from 'send';

import { loggerFor } from '../../common/index.js';
import type { CompressionRule } from '../driver/index.js';

import { mayCompress, takesGzip } from './file-rules.js';
import { openRegular } from './safe-file.js';

const log = loggerFor('sites');
const compress = promisify(gzip);

/** Maximum size of a file cached in memory, in bytes. */
const MAX_CACHED_BYTES = 64 * 1_024;
/** Memory of the cache, in bytes. */
const CACHE_BYTES = 32 * 1_024 * 1_024;
/** A file changed less than this ago may change again with the same timestamps, in milliseconds. */
const RACY_MS = 1_000;

/** A cached file. */
interface SmallFile {
  /** Real path. */
  readonly path: string;
  readonly identity: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly modified: string;
  readonly type: string;
  /** Compressed content, by level. */
  readonly packed: Map<number, Buffer>;
}

/** Options of sending a file. */
export interface Sending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly compression: CompressionRule;
  readonly cacheControl?: string;
}

/** Sends files of sites, with ranges, conditional requests and compression. Small files are cached in memory until they change. */
export class FileSender {
  private readonly kept = new Map<string, SmallFile>();
  private room = CACHE_BYTES;

  /**
   * Returns the cached file of a request, if it has not changed: same inode, size and times at the same path.
   *
   * @param key identifies site and path
   * @param path the requested path, before resolving symbolic links
   */
  known(key: string, path: string): SmallFile | null {
    const file = this.kept.get(key);
    if (!file) return null;
    if (identityAt(path) === file.identity) return file;
    this.drop(key, file);
    return null;
  }

  /** Sends a file returned by {@link known}. */
  async sendKnown(file: SmallFile, sending: Sending): Promise<void> {
    const { request, response, compression } = sending;
    const packs = mayCompress(compression, file.type, file.body.length);
    const packed = packs && takesGzip(request.headers['accept-encoding']) ? await this.pack(file, compression.level) : null;
    head(sending, file.type, file.modified, packed ? packedTag(file.etag) : file.etag, packs);
    if (packed) response.setHeader('Content-Encoding', 'gzip');
    if (isFresh(request, response)) return void response.writeHead(304).end();
    const body = packed ?? file.body;
    response.setHeader('Content-Length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /**
   * Sends a file. Sends the file that was opened here, even if its name points to another one in the meantime.
   *
   * @param path its real path
   * @param key see {@link known}; null: not cached
   * @returns whether the file existed
   */
  async send(path: string, key: string | null, sending: Sending): Promise<boolean> {
    const { request, response, compression } = sending;
    const handle = await openRegular(path);
    if (handle === null) return false;
    try {
      const { size, mtimeMs } = await handle.stat();
      if (request.headers.range === undefined && size <= MAX_CACHED_BYTES) {
        await this.sendKnown(await this.read(path, key, handle), sending);
        return true;
      }
      const type = typeOf(path);
      const packs = mayCompress(compression, type, size);
      if (packs && request.headers.range === undefined && takesGzip(request.headers['accept-encoding'])) {
        head(sending, type, new Date(mtimeMs).toUTCString(), packedTag(tagOf(size, mtimeMs)), true);
        response.setHeader('Content-Encoding', 'gzip');
        await this.stream(handle, sending);
      } else {
        head(sending, null, null, null, packs);
        await this.sendParts(path, handle, sending);
      }
      return true;
    } finally {
      await handle.close().catch((error: unknown) => log.warn({ err: error }, 'a file of a site could not be closed'));
    }
  }

  private async stream(handle: FileHandle, { request, response, compression }: Sending): Promise<void> {
    if (isFresh(request, response)) return void response.writeHead(304).end();
    if (request.method === 'HEAD') return void response.end();
    const source = handle.createReadStream({ autoClose: false });
    const packer = createGzip({ level: compression.level });
    await new Promise<void>((resolve) => {
      const end = (): void => {
        source.destroy();
        packer.destroy();
        resolve();
      };
      response.once('close', end);
      for (const part of [source, packer]) part.once('error', () => response.destroy());
      source.pipe(packer).pipe(response);
    });
  }

  /** Sends ranges and large files with the `send` library. */
  private async sendParts(path: string, handle: FileHandle, { request, response }: Sending): Promise<void> {
    await new Promise<void>((resolve) => {
      response.once('close', resolve);
      send(request, encodeURIComponent(basename(path)), {
        root: dirname(path),
        // Access was checked before; `.well-known` is the only hidden name that gets here.
        dotfiles: 'allow',
        index: false,
        cacheControl: false,
        ...{ fd: handle },
      })
        .on('error', (error: { status?: number; statusCode?: number }) => {
          if (response.headersSent) return void response.destroy();
          response.writeHead(error.status === 412 ? 412 : error.status === 416 ? 416 : 404).end();
        })
        .pipe(response);
    });
  }

  private async read(path: string, key: string | null, handle: FileHandle): Promise<SmallFile> {
    const before = identityOf(await handle.stat({ bigint: true }));
    const body = await readAll(handle);
    const after = await handle.stat({ bigint: true });
    const mtimeMs = Number(after.mtimeMs);
    const file: SmallFile = {
      path,
      identity: identityOf(after),
      body,
      etag: tagOf(body.length, mtimeMs),
      modified: new Date(mtimeMs).toUTCString(),
      type: typeOf(path),
      packed: new Map(),
    };
    const isStable = before === file.identity && Date.now() - Number(after.ctimeMs) > RACY_MS;
    if (key !== null && isStable) this.keep(key, file);
    return file;
  }

  private async pack(file: SmallFile, level: number): Promise<Buffer> {
    const packed = file.packed.get(level) ?? (await compress(file.body, { level }));
    if (!file.packed.has(level)) file.packed.clear();
    file.packed.set(level, packed);
    return packed;
  }

  private keep(key: string, file: SmallFile): void {
    const before = this.kept.get(key);
    if (before) this.drop(key, before);
    this.kept.set(key, file);
    this.room -= costOf(file);
    for (const [oldest, dropped] of this.kept) {
      if (this.room >= 0) return;
      this.drop(oldest, dropped);
    }
  }

  private drop(key: string, file: SmallFile): void {
    if (this.kept.get(key) === file && this.kept.delete(key)) this.room += costOf(file);
  }
}

/** Counts the body twice, because it may also be stored compressed, plus the overhead of an entry. */
const costOf = (file: SmallFile): number => 2 * file.body.length + 1_024;

async function readAll(handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(MAX_CACHED_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return Buffer.from(buffer.subarray(0, length));
}

interface Times {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Times): string => `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;

/**
 * Synchronous: for a recently sent file the kernel has the answer cached, and the thread pool would cost four times as much, a fifth of the
 * total time for a small file.
 */
function identityAt(path: string): string | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isFile() ? identityOf(found) : null;
  } catch {
    return null;
  }
}

/** In the format of `send`. */
const tagOf = (size: number, mtimeMs: number): string => `W/"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
const packedTag = (etag: string): string => etag.replace(/"$/, '-gz"');
const typeOf = (path: string): string => contentType(extname(path)) || 'application/octet-stream';

/** Sets the response headers; null for those `send` sets itself. */
function head(
  { response, cacheControl }: Sending,
  type: string | null,
  modified: string | null,
  etag: string | null,
  varies: boolean,
): void {
  response.statusCode = 200;
  if (cacheControl !== undefined) response.setHeader('Cache-Control', cacheControl);
  if (varies) response.setHeader('Vary', 'Accept-Encoding');
  if (type !== null) response.setHeader('Content-Type', type);
  if (modified !== null) response.setHeader('Last-Modified', modified);
  if (etag !== null) response.setHeader('ETag', etag);
  if (type !== null) response.setHeader('Accept-Ranges', 'bytes');
}

function isFresh(request: IncomingMessage, response: ServerResponse): boolean {
  return fresh(request.headers, {
    etag: response.getHeader('etag') as string,
    'last-modified': response.getHeader('last-modified') as string,
  });
}
