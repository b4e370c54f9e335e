import type { IncomingMessage, ServerResponse } from 'node:http';

import helmet from 'helmet';

/**
 * Helmet's headers, computed once: they are the same for every page, and a middleware that sets a dozen of them on each request costs more
 * than many handlers. The policy with its nonce is built per page below.
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
    // Checkout pages of payment gateways are opened from our pages and must be able to return.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'sameorigin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/** Isolates a page: a page that opens it in a window or shows it in a frame could otherwise read what is typed there. */
const APART_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'noopener-allow-popups',
};

/**
 * Targets that forms of plugins' pages may post to besides this site. Browsers apply `form-action` to redirects as well: an order redirects
 * to the gateway's checkout page, which redirects to the bank.
 */
export const ANY_HTTPS_SITE: readonly string[] = ['https:'];
/** Targets of forms that lead to a gateway: some checkout pages still have no TLS. */
export const ANY_SITE: readonly string[] = ['https:', 'http:'];

/** Policy of one page, added to the headers that every page has. */
export interface PagePolicy {
  /** Origins or schemes its forms may post to besides this site. */
  readonly formTargets?: readonly string[];
  /** Base64 SHA-256 hashes of inline scripts that may run in addition to ours. */
  readonly scripts?: readonly string[];
  /** The page handles money or passwords: isolated from other pages of this site, which may run scripts of a theme. */
  readonly apart?: boolean;
}

/** Returns the headers of a page with its policy. */
export function pageHeaders(nonce: string, policy: PagePolicy = {}): Record<string, string> {
  return { ...(policy.apart ? APART_HEADERS : PAGE_HEADERS), 'Content-Security-Policy': contentSecurityPolicy(nonce, policy) };
}

/** Returns the policy of a page: scripts of this site with the answer's nonce, no inline handlers, no plugins, no foreign frames. */
export function contentSecurityPolicy(nonce: string, { formTargets = [], scripts = [], apart = false }: PagePolicy = {}): string {
  return [
    "default-src 'self'",
    [`script-src 'self' 'nonce-${nonce}'`, ...scripts.map((digest) => `'sha256-${digest}'`)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    `frame-ancestors ${apart ? "'none'" : "'self'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
  ].join('; ');
}
