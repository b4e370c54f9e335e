import { PAGE_HEADERS } from '../../http/index.js';

/**
 * The policy of a page: scripts and styles from files of this store only, nothing inline, nothing framed. Strings become HTML where htmx
 * takes in parts of pages (`src/web/browser/scripts/store.ts`) and nowhere else, which browsers with Trusted Types hold the pages to.
 *
 * @param showsDescriptions descriptions may have pictures of any site (html/clean-html.ts); without TLS they could be read and
 *   changed on the way and are not loaded, the page shows a link instead
 */
export function pagePolicy(showsDescriptions: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // data: for the drawings inside the style sheet.
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
 * Headers of every page. They depend on who asks and in which language, so nobody keeps them for somebody else.
 *
 * @param isPersonal made for an account: browsers do not keep it at all, or after signing out the back button still shows it
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
