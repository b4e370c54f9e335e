import { PAGE_HEADERS } from '../../http/index.js';

/**
 * Content Security Policy of a page: scripts and styles only from this store's files, nothing inline, no framing. Browsers with Trusted
 * Types allow strings as HTML only in htmx (`src/web/browser/scripts/store.ts`).
 *
 * @param showsDescriptions whether pictures from any site are allowed (html/clean-html.ts); those without TLS, which could be read and
 *   changed on the way, are not loaded, and the page shows a link instead
 */
export function pagePolicy(showsDescriptions: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // data: is needed for images inside the style sheet.
    `img-src 'self' data:${showsDescriptions ? ' https:' : ''}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types htmx',
  ].join('; ');
}

/**
 * Headers of every page. Pages depend on account and language, so shared caches must not store them.
 *
 * @param isPersonal whether the page was made for an account: browsers must not store it, or the back button would still show it after
 *   signing out
 */
export function storePageHeaders(showsDescriptions: boolean, isPersonal: boolean): Record<string, string> {
  return {
    ...PAGE_HEADERS,
    'Content-Security-Policy': pagePolicy(showsDescriptions),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': isPersonal ? 'no-store' : 'private, no-cache',
    Vary: 'Accept-Language, Cookie',
  };
}
