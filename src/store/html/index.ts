import './texts.js';

export { cleanHtml, MAX_HTML_BYTES } from './clean-html.js';
export { firstWords, shownHtml } from './shown-html.js';
export { textOfHtml } from '../../common/index.js';
export { HtmlRefusal, type HtmlRule } from './html-refusal.js';
