import { sanitizeNotice } from '../common/index.js';

import { trustedHtml, type TrustedHtml } from './trusted-html.js';

/**
 * What an administrator wrote in Markdown, or the changelog says, as HTML that runs nothing. The library is loaded with the first text.
 *
 * @param images false: nothing is loaded from elsewhere
 */
export async function renderMarkdown(text: string, { images = true } = {}): Promise<TrustedHtml> {
  const { marked } = await import('marked');
  return trustedHtml(sanitizeNotice(await marked.parse(text, { gfm: true, breaks: true }), { images }));
}
