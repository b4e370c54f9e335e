import type sanitizeHtml from 'sanitize-html';

import { whenUsed } from './when-used.js';

const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');

/**
 * Sanitizes the administrator's notice: formatting is kept, everything executable is removed.
 *
 * @param images false removes images, so that nothing is loaded from other servers
 */
export function sanitizeNotice(html: string, { images = true } = {}): string {
  const sanitize = sanitizer();
  return sanitize(html, {
    allowedTags: images ? [...sanitize.defaults.allowedTags, 'img'] : sanitize.defaults.allowedTags.filter((tag) => tag !== 'img'),
    allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
  });
}
