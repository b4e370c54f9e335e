import { sanitizeNotice } from '../common/index.js';

import { trustedHtml, type TrustedHtml } from './trusted-html.js';

/**
 * Renders Markdown of an administrator, or of the changelog, as HTML without active content. The library is loaded on first use.
 *
 * @param images false removes images, so that nothing is loaded from other servers
 */
export async function renderMarkdown(text: string, { images = true } = {}): Promise<TrustedHtml> {
  const { marked } = await import('marked');
  return trustedHtml(sanitizeNotice(await marked.parse(text, { gfm: true, breaks: true }), { images }));
}
