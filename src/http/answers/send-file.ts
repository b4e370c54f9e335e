import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import { answerPart } from './byte-range.js';
import { sendStream } from './send-stream.js';

/** Content of a file, starting at a byte offset. */
export interface OpenedFile {
  /** Offset of the first byte; 0 by default. */
  readonly from?: number;
  readonly content: Readable;
}

/** A file to download. */
export interface SentFile {
  /** Size of the whole file, in bytes. */
  readonly size: number;
  /** Identifies the content, such as a checksum, so that an interrupted download can resume. Without it the file is always sent whole. */
  readonly version?: string;
  /** Complete `Content-Disposition` header. */
  readonly disposition: string;
  readonly type: string;
  /** Opens the file at the given offset or before it. */
  readonly open: (from: number) => Promise<OpenedFile>;
}

/**
 * Sends a file as a download, never displayed: with its length, and resumable (see {@link answerPart}). The source may be slow, such as a
 * server that is still packing it, and is read ahead. Packages of the store need neither; see `sendChunks`.
 *
 * @throws what opening the file throws, before anything is sent
 */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: SentFile): Promise<void> {
  const { size, version, type } = file;
  const headers = {
    ...(version === undefined ? { 'Cache-Control': 'no-store' } : { 'Cache-Control': 'private, no-cache', ETag: `"${version}"` }),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  };
  const answer = answerPart(req, res, size, headers);
  if (!answer) return;
  const { start, end } = answer;
  const { from = 0, content } = await file.open(start);
  if (from > start) throw new Error(`The file was opened at byte ${from}, not at or before ${start}.`);
  const head = { ...answer.headers, 'Content-Type': type, 'Content-Disposition': file.disposition };
  try {
    if (req.method === 'HEAD') res.writeHead(200, head).end();
    else await sendStream(res, answer.status, head, Readable.from(part(content, start - from, end - start + 1), { objectMode: false }));
  } finally {
    // It may still be waiting for bytes that are no longer needed.
    content.destroy();
  }
}

/**
 * Yields `length` bytes after skipping `over`: the file may have grown meanwhile. A file that became shorter ends in an error, so that a
 * truncated download is not mistaken for a complete one.
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
  throw new Error(`The file ended ${left} bytes early.`);
}
