import type { HttpResponse } from '@svc/sdk';

import { say } from './words.js';

/** Maximum length of a third party's message, in characters. */
const MAX_WORDS = 200;

/** Describes why a gateway gave no answer; null if it answered. */
export function noAnswer({ code, error }: HttpResponse, locale: string): string | null {
  if (code !== 0) return null;
  if (error.includes('内网')) return say(locale, 'internal');
  if (error === 'URL 无效' || error.includes('http/https')) return say(locale, 'bad_address');
  return say(locale, 'unreachable');
}

/** Returns a gateway's message as a single line of limited length. */
export function theirWords(value: unknown): string {
  return String(value ?? '')
    .slice(0, 2_000)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS);
}
