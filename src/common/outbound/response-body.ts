import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { promisify, TextDecoder } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gzip: Decoder = promisify(gunzip);
const zlib: Decoder = promisify(inflate);
const rawDeflate: Decoder = promisify(inflateRaw);
const brotli: Decoder = promisify(brotliDecompress);

// "deflate" means zlib (RFC 9110 §8.4.1.2), but some servers send raw deflate; zlib's first byte contains method 8.
const deflate: Decoder = (bytes, options) => ((bytes[0]! & 0x0f) === 8 ? zlib : rawDeflate)(bytes, options);

const DECODERS: Readonly<Record<string, Decoder | undefined>> = { gzip, 'x-gzip': gzip, deflate, br: brotli };

/** No legitimate server uses more; every layer multiplies the work. */
const MAX_CODINGS = 3;

/**
 * Reads the body of `response` and decodes its content codings.
 *
 * Bytes are buffered up to the limit and decoded after that, so a call never holds more than twice `maxBytes`.
 *
 * @throws OutboundFailure `FAILED` if the body, on the wire or after any decoding step, is larger than
 * `maxBytes`, is truncated or is damaged.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundFailure('FAILED', 'answer larger than allowed');
    chunks.push(chunk);
  }
  const decoded = await decode(Buffer.concat(chunks), codingsOf(response), maxBytes);
  return textOf(decoded, response.headers['content-type']);
}

/**
 * Streams the body of `response` into a new file.
 *
 * @throws OutboundFailure `FAILED` if it is larger than `maxBytes` or truncated
 */
export async function writeBody(response: IncomingMessage, path: string, maxBytes: number): Promise<void> {
  let size = 0;
  const capped = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw new OutboundFailure('FAILED', 'answer larger than allowed');
      yield chunk;
    }
  };
  // Opened first: a failing pipeline does not wait for an open that is in progress, so the file would appear after the caller removed it.
  const file = await open(path, 'wx', 0o600);
  await pipeline(response, capped, file.createWriteStream());
}

async function decode(bytes: Buffer, codings: string[], maxBytes: number): Promise<Buffer> {
  let decoded = bytes;
  for (const coding of codings) {
    const decoder = DECODERS[coding];
    // The body stays encoded if its coding is unknown, as in browsers' fetch: no such coding was requested.
    if (!decoder || decoded.length === 0) return decoded;
    decoded = await decoder(decoded, { maxOutputLength: Math.max(1, maxBytes) });
    if (decoded.length > maxBytes) throw new OutboundFailure('FAILED', 'decoded answer larger than allowed');
  }
  return decoded;
}

function codingsOf(response: IncomingMessage): string[] {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) throw new OutboundFailure('FAILED', 'too many content codings');
  return codings.reverse();
}

function textOf(bytes: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  return decoderFor(charset).decode(bytes);
}

function decoderFor(charset = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
