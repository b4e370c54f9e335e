export { HostNotices } from './host-notices.js';
export { Inbox, type InboxOwner } from './inbox.js';
export { Mailing } from './mailing.js';
export { NoticePages } from './notice.pages.js';
export { NoticeWriter } from './notice-writer.js';
export { NoticeIdsInput } from './notice-inputs.js';
export { OwnNoticeOperations, idsOf } from './own-notice.operations.js';
export { SentNoticeOperations } from './sent-notice.operations.js';
export { UnreadInInbox } from './unread-in-inbox.js';
