import { BodyError, parseJsonObject } from '../../http/index.js';

import type { StoreRequest } from '../call/index.js';

/**
 * Largest JSON body, in bytes. Of whoever is signed in: a description may be 64 KB, and JSON writes some letters in six. Of whoever is
 * not: a hundred items of an update check, and a report, are below a third of it.
 */
const LARGEST = { known: 512 * 1024, unknown: 64 * 1024 };

/**
 * The JSON object a request carries; one without a body is an empty object.
 *
 * @throws BodyError as {@link BodyIntake.read}, BODY_MALFORMED
 */
export async function readJsonBody(req: StoreRequest): Promise<object> {
  const bytes = await req.admit!(LARGEST[req.store?.caller ? 'known' : 'unknown']).read();
  if (bytes.length === 0) return {};
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) throw new BodyError('BODY_MALFORMED');
  return parseJsonObject(bytes, { wellFormed: true });
}
