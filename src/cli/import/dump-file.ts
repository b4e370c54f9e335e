import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { DumpError } from './dump-error.js';

/** Decoders by character set of `SET NAMES`. All of them are safe to decode before the SQL is parsed. */
const DECODERS: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  ascii: 'utf-8',
  binary: 'utf-8',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  gb18030: 'gb18030',
  big5: 'big5',
};
/** Bytes searched for `SET NAMES`, which precedes the first table. */
const HEAD = 65_536;
const SET_NAMES = /\bSET\s+NAMES\s+['"]?([A-Za-z0-9_]+)/i;

/**
 * Returns the decoder for a dump's character set.
 *
 * @throws DumpError for ambiguous character sets such as latin1
 */
export function decoderOf(charset: string): string {
  const decoder = DECODERS[charset.toLowerCase()];
  if (decoder) return decoder;
  throw new DumpError(`The dump is written in ${charset}. Export it again with --default-character-set=utf8mb4.`);
}

/**
 * Reads the text of a dump in chunks: plain or gzip; UTF-8, UTF-16 with a BOM, or as declared by `SET NAMES`. Invalid bytes become U+FFFD.
 *
 * @throws DumpError for a file that is not such a text; Error of the disk
 */
export async function* dumpText(path: string): AsyncGenerator<string> {
  const first = await firstBytes(path);
  if (first.subarray(0, 2).toString('latin1') === 'PK') throw new DumpError(`${path} is a ZIP archive. Unpack it first.`);
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  const bytes: AsyncIterable<Buffer> = isGzip ? unpacked(path) : createReadStream(path, { highWaterMark: HEAD });
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  try {
    for await (const chunk of bytes) {
      decoder ??= new TextDecoder(encodingOf(chunk));
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('Z_'))
      throw new DumpError(`${path} cannot be decompressed: the file is truncated or damaged. Export the dump again.`);
    throw error;
  }
  if (decoder) yield decoder.decode();
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function unpacked(path: string): Readable {
  const content = new PassThrough({ highWaterMark: HEAD });
  // An error here ends the reading of `content`.
  pipeline(createReadStream(path), createGunzip({ chunkSize: HEAD }), content).catch(() => undefined);
  return content;
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return decoderOf(SET_NAMES.exec(head.toString('latin1'))?.[1] ?? 'utf8');
}
