import type { IncomingHttpHeaders } from 'node:http';

import { chooseLocale, type Locale } from '../common/index.js';

import { cookiesOf } from './cookies.js';

/**
 * The language of a request, also of one that is refused before anything else of it has been looked at: what its sender chose (cookie
 * `lang`), then `siteDefault`, then what the browser prefers.
 *
 * @param siteDefault language of visitors who have not chosen one; empty or absent follows their browser
 */
export function localeOfRequest({ headers }: { readonly headers: IncomingHttpHeaders }, siteDefault?: string): Locale {
  return chooseLocale(cookiesOf(headers).lang, siteDefault, headers['accept-language']);
}
