import { createHash, createHmac } from 'node:crypto';

/** The panel refuses signatures whose time is further away. */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** Key of a node's signatures. */
export function signingKey(platformSecret: string, nodeSecret: string) {
  return createHmac('sha256', platformSecret).update(nodeSecret).digest('hex');
}

/**
 * Signature of a request.
 *
 * @param key of {@link signingKey}
 * @param request `target` is path and query as sent
 */
export function signRequest(
  key: string,
  { method, target, body, time, nonce }: { method: string; target: string; body: string; time: number; nonce: string },
) {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', key).update([method, target, bodyHash, time, nonce].join('\n')).digest('hex');
}
