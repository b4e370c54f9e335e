export { registerNotice } from './known-notices.js';
export { NoticeTemplates } from './notice-templates.js';
export { NoticeTexts, type RenderedNotice } from './notice-texts.js';
export { TemplateOperations } from './template.operations.js';
export { TemplatePages } from './template.pages.js';
