export { MailFailure } from './mail-failure.js';
export { MailOperations } from './mail.operations.js';
export { MailSettingsPages } from './mail-settings.pages.js';
export { MAIL_PASSWORD_PLACE, Mailer } from './mailer.js';
