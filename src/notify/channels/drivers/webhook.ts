import { createHmac } from 'node:crypto';

import { statusProblem, type HttpChannel } from '../http-channel.js';

/**
 * Webhook to a custom URL. The body is JSON; `X-SVC-Signature` is `sha256=` and the hex HMAC-SHA256 of `timestamp.body` with the secret,
 * where `timestamp` is the value of `X-SVC-Timestamp` (Unix seconds). Source: docs/operating.md "Channels".
 */
export const webhook: HttpChannel = {
  type: 'webhook',
  fields: [
    { name: 'url', required: true, secret: true, address: true },
    { name: 'secret', required: true, secret: true },
  ],
  request({ url, secret }, { id, kind, level, title, text, link, site, at }, now) {
    const body = JSON.stringify({ id, type: kind, level, title, text, link, site, time: at.toISOString() });
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const signature = createHmac('sha256', secret!).update(`${timestamp}.${body}`).digest('hex');
    return {
      url: url!,
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'X-SVC-Delivery': id,
        'X-SVC-Timestamp': timestamp,
        'X-SVC-Signature': `sha256=${signature}`,
      },
    };
  },
  problem: statusProblem,
};
