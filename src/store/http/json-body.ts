import type { IncomingMessage } from 'node:http';

import { StoreError } from '../errors.js';

/** Largest JSON body, in bytes: a description may be 64 KB, and JSON writes some letters in six. */
const MAX_JSON_BYTES = 512 * 1024;

/** The JSON object a request carries; one without a body is an empty object. @throws StoreError BODY_TOO_LARGE, BODY_MALFORMED */
export async function readJsonBody(req: IncomingMessage): Promise<object> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_JSON_BYTES) throw new StoreError('BODY_TOO_LARGE');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_JSON_BYTES) throw new StoreError('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  if (size === 0) return {};
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) throw new StoreError('BODY_MALFORMED');
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    throw new StoreError('BODY_MALFORMED', {}, undefined, { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new StoreError('BODY_MALFORMED');
  return body;
}
