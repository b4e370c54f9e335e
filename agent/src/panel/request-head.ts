import { createHash, randomBytes } from 'node:crypto';
import type http from 'node:http';

import type { StreamHash } from '../../../src/agents/wire/node-api.js';

import type { Config } from '../config/config.js';
import { AGENT_VERSION } from '../version.js';
import { signRequest } from './signature.js';

/** Path and headers of a signed request. */
export interface RequestHead {
  readonly target: string;
  readonly headers: http.OutgoingHttpHeaders;
}

/** Returns the hash of a body for the signature. */
export function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Signs a request. @param query further encoded parameters, each with a leading `&` @param bodyHash from {@link hashOf}, or `stream` */
export function signedHead(
  config: Config,
  key: string,
  { act, query = '', bodyHash }: { act: string; query?: string; bodyHash: string | StreamHash },
): RequestHead {
  const target = `${config.svcUrl.pathname.replace(/\/$/, '')}/api/node.php?act=${act}${query}`;
  const time = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(12).toString('hex');
  return {
    target,
    headers: {
      Accept: 'application/json',
      'User-Agent': `svc-agent/${AGENT_VERSION}`,
      Connection: 'close',
      'X-SVC-Node': config.nodeId,
      'X-SVC-Time': String(time),
      'X-SVC-Nonce': nonce,
      'X-SVC-Sign': signRequest(key, { method: 'POST', target, bodyHash, time, nonce }),
    },
  };
}
