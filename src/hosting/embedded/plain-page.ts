import { createHash } from 'node:crypto';

import type { Locale } from '../../common/index.js';
import { escapeHtml } from '../../sdk/index.js';

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f6fa;color:#1f2937;' +
  'font:16px/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}' +
  'main{max-width:32rem;margin:1.5rem;padding:2.5rem;border-radius:.75rem;background:#fff;box-shadow:0 1px 3px #0002}' +
  'h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.3}p{margin:0;color:#4b5563}' +
  '@media(prefers-color-scheme:dark){body{background:#111827;color:#f3f4f6}main{background:#1f2937}p{color:#d1d5db}}';

/** Content security policy that allows exactly what {@link plainPage} needs. */
export const PLAIN_PAGE_POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Renders a page with one heading and one sentence, repeated in the `other` language if given. All texts are escaped. */
export function plainPage(locale: Locale, title: string, text: string, other?: { locale: Locale; text: string }): string {
  return (
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>` +
    `${other ? `<p lang="${other.locale}">${escapeHtml(other.text)}</p>` : ''}</main></body></html>\n`
  );
}
