import type { IncomingHttpHeaders } from 'node:http';

import { chooseLocale, type Locale } from '../common/index.js';

import { cookiesOf } from './cookies.js';

/**
 * Returns the language of a request, usable before any other processing: the visitor's choice (cookie `lang`), then `siteDefault`, then the
 * browser's preference.
 *
 * @param siteDefault language of visitors without a choice; empty or absent follows the browser
 * @param cookies of the request, if already parsed
 */
export function localeOfRequest(
  { headers }: { readonly headers: IncomingHttpHeaders },
  siteDefault?: string,
  cookies = cookiesOf(headers),
): Locale {
  return chooseLocale(cookies.lang, siteDefault, headers['accept-language']);
}
