import { AppError, errorMessage, type TextRef } from './errors.js';
import { translate, type Locale } from './i18n.js';

/** What went wrong: in the words of whoever threw it, or as a text of ours, which is told in its reader's language. */
export type Words = string | TextRef;

/** How a text of ours begins where it is kept. */
const BEGINNING = '{"key":';

/** The words of anything that was thrown. */
export function wordsOf(error: unknown): Words {
  return error instanceof AppError ? error.told : errorMessage(error);
}

/** Words in a reader's language. */
export function sayWords(locale: Locale, words: Words): string {
  return typeof words === 'string' ? words : translate(locale, words.key, words.params);
}

/**
 * Words as a column keeps them; what is longer than `max` characters, where the column has a limit, is kept in
 * English, and its end left out.
 */
export function packWords(words: Words, max = Infinity): string {
  const packed = typeof words === 'string' ? words : JSON.stringify(words);
  return packed.length <= max ? packed : sayWords('en', words).slice(0, max);
}

/** Reads what {@link packWords} wrote; any other text is somebody's own words. */
export function unpackWords(text: string): Words {
  if (!text.startsWith(BEGINNING)) return text;
  try {
    const { key, params } = JSON.parse(text) as TextRef;
    return typeof key === 'string' ? { key, params } : text;
  } catch {
    return text;
  }
}
