import type sanitizeHtml from 'sanitize-html';

import { whenUsed } from '../../common/index.js';
import { withoutControls } from '../packages/index.js';

import { HtmlRefusal } from './html-refusal.js';

const sanitizer = whenUsed<typeof sanitizeHtml>('sanitize-html');

/** Maximum size of rich text, in UTF-8 bytes. */
export const MAX_HTML_BYTES = 100 * 1024;
/** Deeper elements are dropped but their text stays: some parsers slow down with depth. */
const MAX_DEPTH = 50;

const TEXT = [
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'div',
  'span',
  'blockquote',
  'details',
  'summary',
  'figure',
  'figcaption',
];
const INLINE = [
  'a',
  'img',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'del',
  'ins',
  'small',
  'mark',
  'sub',
  'sup',
  'code',
  'kbd',
  'samp',
  'var',
  'pre',
  'abbr',
  'q',
];
const LISTS = ['ul', 'ol', 'li', 'dl', 'dt', 'dd'];
const TABLES = ['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];

/** Paths of pictures uploaded to this store. */
const UPLOADED_IMAGE = /^\/uploads\/images\/[\w-]{1,80}\.(?:jpg|png|gif|webp)$/;

/** Allowed link targets: http(s), mail, telephone, or a path on this site. */
const LINK = /^(?:https?:\/\/|mailto:|tel:|[#?]|\/(?![/\\]))[^\0-\x1f\x7f]*$/i;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...TEXT, ...INLINE, ...LISTS, ...TABLES],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    li: ['value'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    col: ['span'],
    colgroup: ['span'],
    details: ['open'],
  },
  allowedClasses: { code: [/^language-[\w+#-]{1,30}$/] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // The content of these elements is not readable text.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'noembed',
    'noframes',
    'iframe',
    'xmp',
    'plaintext',
    'template',
    'title',
    'svg',
    'math',
    'object',
    'embed',
    'applet',
    'select',
  ],
  nestingLimit: MAX_DEPTH,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: keepTarget(attribs) }),
    img: (tagName, attribs) => ({ tagName, attribs: keepSource(attribs) }),
  },
  enforceHtmlBoundary: false,
};

function keepTarget({ href, rel: _rel, ...attribs }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const target = href?.trim() ?? '';
  return LINK.test(target) ? { href: target, ...attribs, rel: 'nofollow noopener' } : attribs;
}

function keepSource({ src, ...attribs }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  return src !== undefined && (/^https?:\/\//i.test(src) || UPLOADED_IMAGE.test(src)) ? { ...attribs, src } : attribs;
}

/**
 * Sanitizes rich text: keeps tables, pictures, code, headings, lists and links, removes everything that runs, styles or embeds, and keeps
 * the text. Links get `rel="nofollow noopener"`; pictures may come from http(s) or from this store. Idempotent.
 *
 * @throws HtmlRefusal TOO_LONG over 100 KB, before or after
 */
export function cleanHtml(html: string): string {
  checkLength(html);
  const sanitize = sanitizer();
  let clean = sanitize(withoutControls(html), OPTIONS);
  // The parser decodes control characters written as `&#x202e;`; remove them and sanitize again.
  if (withoutControls(clean) !== clean) clean = sanitize(withoutControls(clean), OPTIONS);
  checkLength(clean);
  return clean;
}

function checkLength(html: string): void {
  if (Buffer.byteLength(html) > MAX_HTML_BYTES) throw new HtmlRefusal('TOO_LONG', { kb: MAX_HTML_BYTES / 1024 });
}
