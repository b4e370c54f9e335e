export { ConfirmMails } from './confirm-mails.js';
export { MailLinkController } from './mail-link.controller.js';
export { MailLinks } from './mail-links.js';
export { PreferenceOperations } from './preference.operations.js';
export { PreferencePages } from './preference.pages.js';
