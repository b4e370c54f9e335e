import { BodyError, parseJsonObject } from '../../http/index.js';

import type { StoreRequest } from '../call/index.js';

/**
 * Maximum JSON body, in bytes. Signed in: a description may be 64 KB, and JSON escapes some letters to six characters. Anonymous: an update
 * check of a hundred items, or a report, needs less than a third of it.
 */
const MAX_BYTES = { known: 512 * 1024, unknown: 64 * 1024 };

/**
 * Reads the JSON object in a request body; an empty body is an empty object.
 *
 * @throws BodyError as {@link BodyIntake.read}, BODY_MALFORMED
 */
export async function readJsonBody(req: StoreRequest): Promise<object> {
  const bytes = await req.admit!(MAX_BYTES[req.store?.caller ? 'known' : 'unknown']).read();
  if (bytes.length === 0) return {};
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) throw new BodyError('BODY_MALFORMED');
  return parseJsonObject(bytes, { wellFormed: true });
}
