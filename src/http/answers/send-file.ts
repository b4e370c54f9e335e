import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { loggerFor } from '../../common/index.js';

import { rangeWish } from './byte-range.js';

const log = loggerFor('http');

/** Bytes of a file, from one of them on. */
export interface OpenedFile {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Which byte the content begins with; the first where nothing is said. */
  readonly from?: number;
  readonly content: Readable;
}

/** A file somebody takes along. */
export interface SentFile {
  /** Bytes of the whole; where it is not known before the file is opened, it is sent whole, and cannot be gone on with. */
  readonly size?: number;
  /**
   * Says that a file is the same one, such as its checksum: who was interrupted goes on where he stopped.
   * Without one it is always sent whole.
   */
  readonly version?: string;
  /** The whole `Content-Disposition`. */
  readonly disposition: string;
  readonly type: string;
  /** Opens it, at the byte that is asked for or before it. */
  readonly open: (from: number) => Promise<OpenedFile>;
}

/**
 * Sends a file as something that is saved, never shown: with its length, and from where somebody stopped (`Range`,
 * `If-Range`, `HEAD` as in RFC 9110).
 *
 * @throws what opening it throws, before anything is sent
 */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: SentFile): Promise<void> {
  const { size, version } = file;
  const etag = version === undefined ? undefined : `"${version}"`;
  const common = {
    'Cache-Control': etag ? 'private, no-cache' : 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ...(etag ? { ETag: etag, 'Accept-Ranges': 'bytes' } : {}),
  };
  const ifRange = req.headers['if-range'];
  const isAnswered = etag !== undefined && size !== undefined && req.method !== 'HEAD' && (ifRange === undefined || ifRange === etag);
  const wish = isAnswered ? rangeWish(req.headers.range, size) : ({ kind: 'whole' } as const);
  if (wish.kind === 'none') return void res.writeHead(416, { ...common, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end();
  const start = wish.kind === 'part' ? wish.range.start : 0;
  const opened = await file.open(start);
  const over = start - (opened.from ?? 0);
  if (over < 0) throw new Error(`A file was opened at byte ${opened.from}, not at ${start} or before.`);
  const end = wish.kind === 'part' ? wish.range.end : opened.size - 1;
  res.writeHead(wish.kind === 'part' ? 206 : 200, {
    ...common,
    'Content-Type': file.type,
    'Content-Disposition': file.disposition,
    'Content-Length': end - start + 1,
    ...(wish.kind === 'part' ? { 'Content-Range': `bytes ${start}-${end}/${opened.size}` } : {}),
  });
  if (req.method === 'HEAD') {
    opened.content.destroy();
    return void res.end();
  }
  try {
    await pipeline(Readable.from(part(opened.content, over, end - start + 1), { objectMode: false }), res);
  } catch (error) {
    log.warn({ err: error }, 'a file was not sent to its end');
    res.destroy();
  } finally {
    // It may wait for bytes nobody reads any more.
    opened.content.destroy();
  }
}

/**
 * So many bytes, once others are passed over: a file may have become longer meanwhile. One that became shorter ends in an error, so
 * that nobody takes it for whole.
 */
async function* part(content: Readable, over: number, length: number): AsyncGenerator<Buffer> {
  let before = over;
  let left = length;
  if (left === 0) return void content.destroy();
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const wanted = chunk.subarray(before).subarray(0, left);
    before = Math.max(0, before - chunk.length);
    left -= wanted.length;
    if (wanted.length > 0) yield wanted;
    if (left === 0) return;
  }
  throw new Error(`${left} bytes are missing.`);
}
