import { StoreError } from '../errors.js';

import type { StoreRequest } from '../call/index.js';

/**
 * Largest JSON body, in bytes. Of whoever is signed in: a description may be 64 KB, and JSON writes some letters in six. Of whoever is
 * not: a hundred items of an update check, and a report, are below a third of it.
 */
const LARGEST = { known: 512 * 1024, unknown: 64 * 1024 };

/**
 * The JSON object a request carries; one without a body is an empty object.
 *
 * @throws BodyError as {@link BodyIntake.read}
 * @throws StoreError BODY_MALFORMED
 */
export async function readJsonBody(req: StoreRequest): Promise<object> {
  const bytes = await req.admit!(LARGEST[req.store?.caller ? 'known' : 'unknown']).read();
  if (bytes.length === 0) return {};
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) throw new StoreError('BODY_MALFORMED');
  let body: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Half a pair, which only an escape can say, is no text to any of those who read it further on.
    body = JSON.parse(text, /\\ud[89a-f]/i.test(text) ? wellFormed : undefined);
  } catch (cause) {
    throw new StoreError('BODY_MALFORMED', {}, { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new StoreError('BODY_MALFORMED');
  return body;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
