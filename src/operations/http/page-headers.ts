import type { IncomingMessage, ServerResponse } from 'node:http';

import helmet from 'helmet';

/**
 * Helmet's headers, taken once: they are the same for every page, and setting a dozen of them through a middleware on
 * each request costs more than many a handler. The policy with its nonce is made per page below.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = helmetHeaders();

function helmetHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: () => undefined,
  };
  const middleware = helmet({
    contentSecurityPolicy: false,
    // Gateways' cashiers are opened from our pages and need to be able to come back.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'sameorigin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/**
 * The policy of a page: scripts of this site with the nonce of the answer, no inline handlers, no plugins, no foreign frames.
 * `form-action` is widened for a gateway's own form only.
 */
export function contentSecurityPolicy(nonce: string, formTargets: readonly string[] = []): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "frame-ancestors 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Browsers apply this to redirects after a form too: a payment leads from ours to the gateway.
    `form-action 'self' https: ${formTargets.join(' ')}`.trim(),
  ].join('; ');
}
