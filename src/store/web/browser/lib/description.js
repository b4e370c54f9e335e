// @ts-check
import { isSafeLink, make } from './dom.js';

/**
 * The one place where a string becomes HTML: what the store sanitized when it was submitted (src/store/html/clean-html.ts). It is parsed
 * in a document of its own, where nothing runs and nothing is loaded; the page's policy lets no inline script run anyway.
 */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy('store-description', { createHTML: (/** @type {string} */ html) => html });

/** @param {string} html */
function parse(html) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, 'text/html');
}

/** A sanitized description as part of the page. @param {string} html */
export function descriptionOf(html) {
  const { body } = parse(html);
  for (const link of body.querySelectorAll('a[href]')) {
    if (!isSafeLink(link.getAttribute('href') ?? '') && !/^tel:/i.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');
    link.setAttribute('rel', 'nofollow noopener');
  }
  for (const image of body.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    // The policy of the page does not load what comes without TLS: the reader decides.
    if (/^http:/i.test(source)) image.replaceWith(make('a', { href: source, rel: 'nofollow noopener' }, image.alt || source));
    image.loading = 'lazy';
    image.referrerPolicy = 'no-referrer';
    image.alt ||= '';
  }
  for (const table of body.querySelectorAll('table')) {
    table.classList.add('table');
    const box = make('div', { class: 'table-responsive' });
    table.replaceWith(box);
    box.append(table);
  }
  const place = make('div', { class: 'description' });
  place.append(...document.importNode(body, true).childNodes);
  return place;
}

/** The words of a description, for a card. @param {string} html @param {number} length at most so many characters */
export function plainText(html, length) {
  const { body } = parse(html.replace(/<\/(?:p|div|li|h\d|t[drh]|pre)>|<br\s*\/?>/gi, ' $&'));
  const characters = [...(body.textContent ?? '').replace(/\s+/g, ' ').trim()];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : characters.join('');
}
