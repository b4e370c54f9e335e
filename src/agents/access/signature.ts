import { createHash, createHmac } from 'node:crypto';

import type { StreamHash } from '../wire/index.js';

/** Signed parts of a request. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as requested. */
  readonly url: string;
  /** `stream` for a body that is sent while it is produced, see `BodyAct`. */
  readonly body: Buffer | StreamHash;
  /** As sent in the header. */
  readonly time: string;
  readonly nonce: string;
}

/** Secrets an agent signs with. */
export interface SigningSecrets {
  readonly platformSecret: string;
  readonly nodeSecret: string;
}

/**
 * Returns the signature of a request, 64 hex digits. Source: docs/panel-api.md "Signed requests".
 *
 * @example
 * ```ts
 * sign({ method: 'POST', url: '/api/node.php?act=pull_task', body: Buffer.from('{}'), time: '1795228338', nonce: 'n1' }, secrets);
 * ```
 */
export function sign(request: SignedRequest, { platformSecret, nodeSecret }: SigningSecrets): string {
  const key = createHmac('sha256', platformSecret).update(nodeSecret).digest('hex');
  const bodyHash = request.body === 'stream' ? request.body : createHash('sha256').update(request.body).digest('hex');
  return createHmac('sha256', key).update([request.method, request.url, bodyHash, request.time, request.nonce].join('\n')).digest('hex');
}
