import type sanitizeHtml from 'sanitize-html';

import { whenUsed } from './when-used.js';

const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');

/** The administrator's notice: formatting stays, whatever could run goes. */
export function sanitizeNotice(html: string): string {
  const sanitize = sanitizer();
  return sanitize(html, {
    allowedTags: [...sanitize.defaults.allowedTags, 'img'],
    allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
  });
}
