import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PACKAGE_ROOT } from '../../common/index.js';

import { acceptedCoding, compressed, type ContentCoding } from './content-coding.js';
import { sendNotModified } from './send-not-modified.js';

/** Kinds of files that are sent compressed. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** What the build has compressed, by the SHA-256 of what it holds: `src/cli/bundle.mjs` writes it. */
const COMPRESSED_BEFORE = join(PACKAGE_ROOT, 'dist/compressed');
/** Compressed files in memory: those of the panel, the store and a few themes and plugins, in both ways. */
const MOST_KEPT = 400;

/** A file that may be sent compressed. */
export interface CompressibleFile {
  /** Name or path that no other file of the same version has; its ending says whether it is text. */
  readonly name: string;
  /** Other once the content is, such as a hash of it; no quotes. */
  readonly version: string;
  /** Its content; asked for once for each way of compression. */
  readonly read: () => Promise<Buffer>;
}

/** Scripts, styles and drawings, compressed by the build or when somebody first asks for them, and kept: one place for panel and store. */
@Injectable()
export class CompressedFiles {
  private readonly kept = new Map<string, Promise<Buffer>>();

  /**
   * Answers a `GET` or `HEAD` with a compressed file. Headers that were set before stay.
   *
   * @returns false where the file is to be sent as it is (it is no text, the client takes no compression or
   * asks for a part) or cannot be read
   */
  async send(req: IncomingMessage, res: ServerResponse, file: CompressibleFile): Promise<boolean> {
    const type = TYPES[extname(file.name).toLowerCase()];
    if (type === undefined) return false;
    res.setHeader('Vary', 'Accept-Encoding');
    const coding = acceptedCoding(req);
    // Parts are parts of the file itself: of what is kept here nobody could say which letters they hold.
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
    // A Map keeps the order in which things came: the first is the oldest.
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    return made;
  }
}

/** Rejects where the build has not compressed such a file. */
function compressedBefore(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  return readFile(join(COMPRESSED_BEFORE, `${hash('sha256', body)}.${coding}`));
}
