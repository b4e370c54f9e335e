import './texts.js';

export * from './entities/index.js';
export { NOTICE_LEVELS, type NoticeAudience, type NoticeDraft, type NoticeKind } from './notice.js';
export { ChannelKinds, pluginChannel } from './channels/index.js';
export { MAIL_PASSWORD_PLACE, MailFailure, Mailer } from './mail/index.js';
export { NoticeAccounts, NoticeCustomers, Preferences, type NoticeAccount, type NoticeAccountFilter } from './receivers/index.js';
export { HostNotices } from './inbox/index.js';
export { NoticeStreams } from './live/index.js';
export { sendLinkMail, textAsHtml } from './sending/index.js';
export { Notices } from './notices.js';
export { NoticeTexts, registerNotice } from './templates/index.js';
export { NotifyModule } from './notify.module.js';
