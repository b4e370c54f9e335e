import { createHmac } from 'node:crypto';

/** Maximum clock difference the panel accepts, in seconds. */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** Derives the signing key of a node. */
export function signingKey(platformSecret: string, nodeSecret: string) {
  return createHmac('sha256', platformSecret).update(nodeSecret).digest('hex');
}

/**
 * Computes the signature of a request.
 *
 * @param key from {@link signingKey}
 * @param request `target` is path and query as sent; `bodyHash` is the SHA-256 of the body in hex
 */
export function signRequest(
  key: string,
  { method, target, bodyHash, time, nonce }: { method: string; target: string; bodyHash: string; time: number; nonce: string },
) {
  return createHmac('sha256', key).update([method, target, bodyHash, time, nonce].join('\n')).digest('hex');
}
