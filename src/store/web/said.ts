import { cookieLine } from '../../auth/index.js';
import { translate, type Locale } from '../../common/index.js';

/** Cookie with what the next page says. */
const COOKIE = 'store_said';
/** A page is opened within a minute, or what was to be said is stale. */
const SECONDS = 60;
const KEY = /^store\.[a-z0-9_]{1,60}$/;

/** `Set-Cookie` line: what the page that is gone to next is to say. It holds no words, so nobody can put any in. */
export function sayNext(text: string, params: object, secure: boolean): string {
  return cookieLine(COOKIE, JSON.stringify([text, params]), SECONDS, secure);
}

/** `Set-Cookie` line: it was said. */
export function saidIt(secure: boolean): string {
  return cookieLine(COOKIE, '', 0, secure);
}

/** What a page is to say, by the cookies of its request; empty where there is nothing, or nothing of ours. */
export function saidBefore(cookies: Readonly<Record<string, string | undefined>>, locale: Locale): string {
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
