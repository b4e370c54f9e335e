import { translate, type Locale, type TextRef } from '../common/index.js';

/** A text as a row keeps it: told in the language of whoever reads it later. */
export const keepText = (text: TextRef | null): string | null => (text ? JSON.stringify(text) : null);

/** What {@link keepText} kept, as a text; null where nothing was. */
export function keptText(kept: string | null): TextRef | null {
  if (!kept?.startsWith('{')) return kept ? { key: kept } : null;
  return JSON.parse(kept) as TextRef;
}

/** What {@link keepText} kept, in words; empty where nothing was. */
export function tellText(locale: Locale, kept: string | null): string {
  const text = keptText(kept);
  return text ? translate(locale, text.key, text.params) : '';
}
