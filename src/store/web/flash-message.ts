import { cookieLine } from '../../auth/index.js';
import { translate, type Locale } from '../../common/index.js';

/** Cookie with the message for the next page. */
const COOKIE = 'store_said';
/** Lifetime in seconds: an older message is stale. */
const SECONDS = 60;
const KEY = /^store\.[a-z0-9_]{1,60}$/;

/** `Set-Cookie` line with the message for the next page. It contains only a text key, so that nobody can inject text. */
export function setFlash(text: string, params: object, secure: boolean): string {
  return cookieLine(COOKIE, JSON.stringify([text, params]), SECONDS, secure);
}

/** `Set-Cookie` line that deletes the message. */
export function clearFlash(secure: boolean): string {
  return cookieLine(COOKIE, '', 0, secure);
}

/** Returns the message from the request's cookies; empty if there is none or it is invalid. */
export function readFlash(cookies: Readonly<Record<string, string | undefined>>, locale: Locale): string {
  const given = cookies[COOKIE];
  if (!given) return '';
  try {
    const [text, params] = JSON.parse(given) as [unknown, unknown];
    if (typeof text !== 'string' || !KEY.test(text) || typeof params !== 'object' || params === null) return '';
    return translate(locale, text, Object.fromEntries(Object.entries(params).filter(([, value]) => typeof value === 'number')));
  } catch {
    return '';
  }
}
