import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import { answerPart } from './byte-range.js';
import { sendStream } from './send-stream.js';

/** Bytes of a file, from one of them on. */
export interface OpenedFile {
  /** Which byte the content begins with; the first where nothing is said. */
  readonly from?: number;
  readonly content: Readable;
}

/** A file somebody takes along. */
export interface SentFile {
  /** Bytes of the whole. */
  readonly size: number;
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
 * Sends a file as something that is saved, never shown: with its length, and from where somebody stopped (see {@link answerPart}). Its
 * source may be slow, such as a server that packs it meanwhile, and is read ahead: a package of the store has neither, see `sendChunks`.
 *
 * @throws what opening it throws, before anything is sent
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
  if (from > start) throw new Error(`A file was opened at byte ${from}, not at ${start} or before.`);
  const head = { ...answer.headers, 'Content-Type': type, 'Content-Disposition': file.disposition };
  try {
    if (req.method === 'HEAD') res.writeHead(200, head).end();
    else await sendStream(res, answer.status, head, Readable.from(part(content, start - from, end - start + 1), { objectMode: false }));
  } finally {
    // It may wait for bytes nobody reads any more.
    content.destroy();
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
