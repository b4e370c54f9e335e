import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PACKAGE_ROOT } from '../../common/index.js';

import { acceptedCoding, compressed, type ContentCoding } from './content-coding.js';
import { sendNotModified } from './send-not-modified.js';

/** File types that are sent compressed. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Files compressed by the build (`src/cli/bundle.mjs`), named by the SHA-256 of their content. */
const COMPRESSED_BEFORE = join(PACKAGE_ROOT, 'dist/compressed');
/** Maximum number of compressed files in memory: enough for panel, store and a few themes and plugins in both encodings. */
const MAX_CACHED = 400;

/** A file that may be sent compressed. */
export interface CompressibleFile {
  /** Name or path, unique within a version; its extension determines whether it is text. */
  readonly name: string;
  /** Changes with the content, such as a hash of it; contains no quotes. */
  readonly version: string;
  /** Reads the content; called once per encoding. */
  readonly read: () => Promise<Buffer>;
}

/** Compressed scripts, styles and SVGs, taken from the build or compressed on first request, and cached. Shared by panel and store. */
@Injectable()
export class CompressedFiles {
  private readonly kept = new Map<string, Promise<Buffer>>();

  /**
   * Answers a `GET` or `HEAD` with a compressed file. Headers set earlier are kept.
   *
   * @returns false where the file must be sent uncompressed: it is not text, it cannot be read, the client accepts no compression, or it
   *   requests a range
   */
  async send(req: IncomingMessage, res: ServerResponse, file: CompressibleFile): Promise<boolean> {
    const type = TYPES[extname(file.name).toLowerCase()];
    if (type === undefined) return false;
    res.setHeader('Vary', 'Accept-Encoding');
    const coding = acceptedCoding(req);
    // Ranges refer to the uncompressed file, so they are never answered from this cache.
    if (!coding || req.headers.range !== undefined) return false;
    const etag = `"${file.version}-${coding}"`;
    if (sendNotModified(req, res, { ETag: etag })) return true;
    const body = await this.form(file, coding).catch(() => null);
    if (!body) return false;
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', type);
    res.writeHead(200, { ETag: etag, 'Content-Encoding': coding, 'Content-Length': body.length });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  }

  private form({ name, version, read }: CompressibleFile, coding: ContentCoding): Promise<Buffer> {
    const key = `${version} ${coding} ${name}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const made = read().then((body) => compressedBefore(body, coding).catch(() => compressed(body, coding)));
    this.kept.set(key, made);
    made.catch(() => this.kept.delete(key));
    // A Map keeps insertion order: the first key is the oldest.
    if (this.kept.size > MAX_CACHED) this.kept.delete(this.kept.keys().next().value!);
    return made;
  }
}

/** Rejects when the build has not compressed this file. */
function compressedBefore(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  return readFile(join(COMPRESSED_BEFORE, `${hash('sha256', body)}.${coding}`));
}
