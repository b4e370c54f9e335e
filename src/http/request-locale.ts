import type { IncomingHttpHeaders } from 'node:http';

import { chooseLocale, type Locale } from '../common/index.js';

import { cookiesOf } from './cookies.js';

/**
 * The language of a request, also of one that is refused before anything else of it has been looked at: what its sender chose (cookie
 * `lang`), then `siteDefault`, then what the browser prefers.
 *
 * @param siteDefault language of visitors who have not chosen one; empty or absent follows their browser
 * @param cookies those of the request, where they have been read
 */
export function localeOfRequest(
  { headers }: { readonly headers: IncomingHttpHeaders },
  siteDefault?: string,
  cookies = cookiesOf(headers),
): Locale {
  return chooseLocale(cookies.lang, siteDefault, headers['accept-language']);
}
