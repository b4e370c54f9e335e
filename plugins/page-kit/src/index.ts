/** What the pages of bundled plugins share beside styles and scripts. Each bundle has its own copy. */
export { captchaField } from './captcha-field.js';
export { lookAgainAttributes, lookAgainLink } from './look-again.js';
