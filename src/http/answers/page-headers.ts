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

/** A page that opens another in a window, or shows it in a frame, could read what is typed there. */
const APART_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'noopener-allow-popups',
};

/**
 * What forms of plugins' pages may post to besides this site. Browsers apply this to redirects after a form too: an order leads to the
 * cashier of a gateway, which leads on to its bank.
 */
export const ANY_HTTPS_SITE: readonly string[] = ['https:'];
/** What forms may post to that lead to a gateway: some cashiers are still without TLS. */
export const ANY_SITE: readonly string[] = ['https:', 'http:'];

/** Policy of one page, added to the headers that every page has. */
export interface PagePolicy {
  /** Origins or schemes its forms may post to besides this site. */
  readonly formTargets?: readonly string[];
  /** SHA-256 in base64 of scripts in the page that may run besides ours. */
  readonly scripts?: readonly string[];
  /** It handles money or passwords: no other page of this site, on which a script of a theme may run, gets hold of it. */
  readonly apart?: boolean;
}

/** Headers of a page under its policy. */
export function pageHeaders(nonce: string, policy: PagePolicy = {}): Record<string, string> {
  return { ...(policy.apart ? APART_HEADERS : PAGE_HEADERS), 'Content-Security-Policy': contentSecurityPolicy(nonce, policy) };
}

/** The policy of a page: scripts of this site with the nonce of the answer, no inline handlers, no plugins, no foreign frames. */
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
