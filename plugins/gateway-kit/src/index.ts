/** Code shared by the bundled gateways and shops. Each bundle contains its own copy: plugins depend on the panel only through @svc/sdk. */
export * from './answers.js';
export * from './fields.js';
export * from './form-page.js';
export * from './gateway-field.js';
export * from './list-fields.js';
export * from './money.js';
export * from './refuse.js';
export * from './rsa.js';
export * from './rules.js';
export * from './same-text.js';
export * from './settings.js';
export { say, type Word } from './words.js';
export { payHtml } from './pay-html.js';
