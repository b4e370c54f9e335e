/** Code shared by the pages of bundled plugins, besides styles and scripts. Each bundle contains its own copy. */
export { captchaField } from './captcha-field.js';
export { cardPage, siteLink, type CardFrame } from './card-page.js';
export { empty } from './empty.js';
export type { WrongFields } from './field-marks.js';
export { frame, type Frame } from './frame.js';
export { lookAgainLink } from './look-again.js';
export { isRefusedForm } from './refused-form.js';
export { nextOf, onwards, toSignIn } from './sign-in.js';
