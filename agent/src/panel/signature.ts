import { createHmac } from 'node:crypto';

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
 * @param request `target` is path and query as sent; `bodyHash` SHA-256 of the body in hex
 */
export function signRequest(
  key: string,
  { method, target, bodyHash, time, nonce }: { method: string; target: string; bodyHash: string; time: number; nonce: string },
) {
  return createHmac('sha256', key).update([method, target, bodyHash, time, nonce].join('\n')).digest('hex');
}
