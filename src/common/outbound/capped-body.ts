import type { IncomingMessage } from 'node:http';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

/**
 * Reads the start of a body and no more from the connection: a longer or endless body is cut off.
 *
 * @param maxBytes limit on the wire, and again for the decoded text
 */
export async function readBodyStart(response: IncomingMessage, maxBytes: number): Promise<string> {
  const bytes = await startOf(response, maxBytes);
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  return (await decoded(bytes, coding, maxBytes)).toString('utf8');
}

async function startOf(stream: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** No content coding was requested; one that is sent anyway is decoded, and damaged content is left as received. */
async function decoded(bytes: Buffer, coding: string, maxBytes: number): Promise<Buffer> {
  const decoder =
    coding === 'br'
      ? createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
      : ['gzip', 'x-gzip', 'deflate'].includes(coding)
        ? createUnzip({ finishFlush: constants.Z_SYNC_FLUSH })
        : null;
  if (!decoder || bytes.length === 0) return bytes;
  decoder.end(bytes);
  return startOf(decoder, maxBytes).catch(() => bytes);
}
