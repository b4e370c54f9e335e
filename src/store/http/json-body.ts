import type { IncomingMessage } from 'node:http';

import { StoreError } from '../errors.js';

import { BUSY_SECONDS } from './places.js';
import type { StoreRequest } from './store-call.js';

/**
 * Largest JSON body, in bytes. Of whoever is signed in: a description may be 64 KB, and JSON writes some letters in six. Of whoever is
 * not: a hundred items of an update check, and a report, are below a third of it.
 */
const LARGEST = { known: 512 * 1024, unknown: 64 * 1024 };
/** Bytes of bodies that may be on their way into memory at once. */
const AT_ONCE = { known: 64 * 1024 * 1024, unknown: 32 * 1024 * 1024 };
/** How long a body may take to arrive, in milliseconds: what takes longer holds memory, and tells nothing yet of who sends it. */
const DEADLINE_MS = 20_000;

const taken = { known: 0, unknown: 0 };

/**
 * The JSON object a request carries; one without a body is an empty object.
 *
 * @param deadlineMs how long it may take to arrive; who takes longer is cut off
 * @throws StoreError BODY_TOO_LARGE, BODY_MALFORMED, SERVER_BUSY
 */
export async function readJsonBody(req: StoreRequest, deadlineMs = DEADLINE_MS): Promise<object> {
  const bytes = await readBytes(req, req.store?.caller ? 'known' : 'unknown', deadlineMs);
  if (bytes.length === 0) return {};
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) throw new StoreError('BODY_MALFORMED');
  let body: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Half a pair, which only an escape can say, is no text to any of those who read it further on.
    body = JSON.parse(text, /\\ud[89a-f]/i.test(text) ? wellFormed : undefined);
  } catch (cause) {
    throw new StoreError('BODY_MALFORMED', {}, undefined, { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new StoreError('BODY_MALFORMED');
  return body;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}

async function readBytes(req: IncomingMessage, sender: keyof typeof LARGEST, deadlineMs: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > LARGEST[sender]) throw new StoreError('BODY_TOO_LARGE');
  const deadline = setTimeout(() => req.destroy(), deadlineMs).unref();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // What is left of a body that is refused is read into nothing, so that its sender hears why.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      taken[sender] += chunk.length;
      if (size > LARGEST[sender]) throw new StoreError('BODY_TOO_LARGE');
      if (taken[sender] > AT_ONCE[sender]) throw new StoreError('SERVER_BUSY', { seconds: BUSY_SECONDS });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError('BODY_MALFORMED', {}, undefined, { cause: error });
  } finally {
    clearTimeout(deadline);
    taken[sender] -= size;
  }
}
