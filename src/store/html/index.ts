import './texts.js';

export { cleanHtml } from './clean-html.js';
export { firstWords, shownHtml } from './shown-html.js';
export { textOfHtml } from '../../common/index.js';
export { HtmlRefusal } from './html-refusal.js';
