export { cleanHtml, MAX_HTML_BYTES } from './clean-html.js';
export { HtmlRefusal, type HtmlRule } from './html-refusal.js';
