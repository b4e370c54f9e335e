import type { HttpResponse } from '@svc/sdk';

import { say } from './words.js';

/** Characters of somebody else's words that are passed on. */
const MAX_WORDS = 200;

/** Why nothing came back from a gateway, in words for people; null where something did. */
export function noAnswer({ code, error }: HttpResponse, locale: string): string | null {
  if (code !== 0) return null;
  if (error.includes('内网')) return say(locale, 'internal');
  if (error === 'URL 无效' || error.includes('http/https')) return say(locale, 'bad_address');
  return say(locale, 'unreachable');
}

/** A gateway's own words, in one line of a length people read. */
export function theirWords(value: unknown): string {
  return String(value ?? '')
    .slice(0, 2_000)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS);
}
