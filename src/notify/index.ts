export { renderMarkdown } from './markdown.js';
export * from './entities/index.js';
export { NOTICE_KINDS, NOTICE_LEVELS, type NoticeAudience, type NoticeDraft, type NoticeKind, type NoticeLevel } from './notice.js';
export { MAIL_PASSWORD_PLACE } from './mail/index.js';
export { NoticeAccounts, type NoticeAccount, type NoticeAccountFilter } from './receivers/index.js';
export { NoticeStreams } from './live/index.js';
export { Notices } from './notices.js';
export { NoticeTexts, registerNotice } from './templates/index.js';
export { NotifyModule } from './notify.module.js';
