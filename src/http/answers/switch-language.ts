import type { ServerResponse } from 'node:http';

import { isLocale } from '../../common/index.js';

import { choiceCookie } from '../cookies.js';

import { sendLocalRedirect } from './send.js';

/** A year, in seconds. */
const COOKIE_AGE = 365 * 24 * 3600;

/**
 * Handles `?lang=` on any page of panel and store: stores the choice in a cookie and redirects to the same page without the parameter.
 *
 * @param path of the page
 * @param query of the request; not modified
 * @returns false if no language is named: nothing was sent
 */
export function switchLanguage(res: ServerResponse, path: string, query: URLSearchParams): boolean {
  const language = query.get('lang');
  if (!isLocale(language)) return false;
  const rest = new URLSearchParams(query);
  rest.delete('lang');
  res.setHeader('Set-Cookie', choiceCookie('lang', language, COOKIE_AGE));
  sendLocalRedirect(res, rest.size > 0 ? `${path}?${rest}` : path);
  return true;
}
