import type sanitizeHtml from 'sanitize-html';

import { whenUsed } from './when-used.js';

const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');

/** The administrator's notice: formatting stays, whatever could run goes. @param images false: nothing is loaded from elsewhere */
export function sanitizeNotice(html: string, { images = true } = {}): string {
  const sanitize = sanitizer();
  return sanitize(html, {
    allowedTags: images ? [...sanitize.defaults.allowedTags, 'img'] : sanitize.defaults.allowedTags.filter((tag) => tag !== 'img'),
    allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
  });
}
