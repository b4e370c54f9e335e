import { AppError, errorMessage, type TextRef } from './errors.js';
import { translate, type Locale } from './i18n.js';

/** An error message: a plain string, or a text that is translated for its reader. */
export type Words = string | TextRef;

/** Prefix of a packed text. */
const PREFIX = '{"key":';

/** Returns the message of any thrown value. */
export function wordsOf(error: unknown): Words {
  return error instanceof AppError ? error.told : errorMessage(error);
}

/** Returns a message in the reader's language. */
export function sayWords(locale: Locale, words: Words): string {
  return typeof words === 'string' ? words : translate(locale, words.key, words.params);
}

/** Serializes a message for a column. If it is longer than `max` characters, it is stored in English, truncated. */
export function packWords(words: Words, max = Infinity): string {
  const packed = typeof words === 'string' ? words : JSON.stringify(words);
  return packed.length <= max ? packed : sayWords('en', words).slice(0, max);
}

/** Parses the result of {@link packWords}; any other text is a plain message. */
export function unpackWords(text: string): Words {
  if (!text.startsWith(PREFIX)) return text;
  try {
    const { key, params } = JSON.parse(text) as TextRef;
    return typeof key === 'string' ? { key, params } : text;
  } catch {
    return text;
  }
}
