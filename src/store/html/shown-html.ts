import type sanitizeHtml from 'sanitize-html';

import { textOfHtml, whenUsed } from '../../common/index.js';

const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');

/** Keeps all tags and attributes: the input was sanitized when it was submitted. */
const KEEP_ALL = { allowedTags: false, allowedAttributes: false, allowVulnerableTags: true } as const;

const OPTIONS: sanitizeHtml.IOptions = {
  ...KEEP_ALL,
  transformTags: {
    table: (tagName, attribs) => ({ tagName, attribs: { ...attribs, class: 'table' } }),
    img: (tagName, { src = '', alt = '', ...attribs }): sanitizeHtml.Tag => {
      // The page's policy does not load pictures without TLS, which could be read and changed on the way; show a link instead.
      if (/^http:/i.test(src)) return { tagName: 'a', attribs: { href: src, rel: 'nofollow noopener' }, text: alt || src };
      return { tagName, attribs: { ...attribs, ...(src ? { src } : {}), alt, loading: 'lazy', referrerpolicy: 'no-referrer' } };
    },
  },
};

/**
 * Prepares clean rich text ({@link cleanHtml}) for display: pictures load lazily without a referrer, and those without TLS become links.
 *
 * @param opensNewTab whether links open in a new tab, so that unsaved input on this page is kept
 */
export function shownHtml(clean: string, { opensNewTab = false } = {}): string {
  const sanitize = sanitizer();
  if (!opensNewTab) return sanitize(clean, OPTIONS);
  const newTab: sanitizeHtml.Transformer = (tagName, attribs) => ({
    tagName,
    attribs: 'href' in attribs ? { ...attribs, target: '_blank' } : attribs,
  });
  return sanitize(sanitize(clean, OPTIONS), { ...KEEP_ALL, transformTags: { a: newTab } });
}

/** Characters of HTML examined per character of text. */
const HTML_PER_CHARACTER = 40;

/** Returns the first words of clean rich text ({@link cleanHtml}). @param length maximum characters */
export function firstWords(clean: string, length: number): string {
  // Removes a tag that was cut in half.
  const begin = clean.slice(0, length * HTML_PER_CHARACTER).replace(/<[^>]*$/, '');
  const characters = [...textOfHtml(begin).replace(/\s+/g, ' ').trim()];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : characters.join('');
}
