import type sanitizeHtml from 'sanitize-html';

import { textOfHtml, whenUsed } from '../../common/index.js';

const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');

/** Everything stays: what comes in was cleaned when it was submitted. */
const AS_IT_IS = { allowedTags: false, allowedAttributes: false, allowVulnerableTags: true } as const;

const OPTIONS: sanitizeHtml.IOptions = {
  ...AS_IT_IS,
  transformTags: {
    table: (tagName, attribs) => ({ tagName, attribs: { ...attribs, class: 'table' } }),
    img: (tagName, { src = '', alt = '', ...attribs }): sanitizeHtml.Tag => {
      // Without TLS it could be read and changed on the way: the policy of the page does not load it, the reader decides.
      if (/^http:/i.test(src)) return { tagName: 'a', attribs: { href: src, rel: 'nofollow noopener' }, text: alt || src };
      return { tagName, attribs: { ...attribs, ...(src ? { src } : {}), alt, loading: 'lazy', referrerpolicy: 'no-referrer' } };
    },
  },
};

/**
 * Clean rich text ({@link cleanHtml}) as a page shows it: pictures come late and tell no site whose page they are on, those without TLS
 * are links.
 *
 * @param opensBeside whether links open a page of their own, so that what is typed on this one stays
 */
export function shownHtml(clean: string, { opensBeside = false } = {}): string {
  const sanitize = sanitizer();
  if (!opensBeside) return sanitize(clean, OPTIONS);
  const beside: sanitizeHtml.Transformer = (tagName, attribs) => ({
    tagName,
    attribs: 'href' in attribs ? { ...attribs, target: '_blank' } : attribs,
  });
  return sanitize(sanitize(clean, OPTIONS), { ...AS_IT_IS, transformTags: { a: beside } });
}

/** Characters of HTML that are looked through for so many of text. */
const HTML_PER_CHARACTER = 40;

/** The words clean rich text ({@link cleanHtml}) begins with. @param length at most so many characters */
export function firstWords(clean: string, length: number): string {
  // What was cut in the middle is no tag any more.
  const begin = clean.slice(0, length * HTML_PER_CHARACTER).replace(/<[^>]*$/, '');
  const characters = [...textOfHtml(begin).replace(/\s+/g, ' ').trim()];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : characters.join('');
}
