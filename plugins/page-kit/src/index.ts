/** What the pages of bundled plugins share beside styles and scripts. Each bundle has its own copy. */
export { captchaField } from './captcha-field.js';
export { empty } from './empty.js';
export { frame, type Frame } from './frame.js';
export { lookAgainLink } from './look-again.js';
