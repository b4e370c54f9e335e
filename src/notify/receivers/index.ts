export { NoticeAccounts, NoticeCustomers, type NoticeAccount, type NoticeAccountFilter } from './notice-accounts.js';
export { NOTICE_WAYS, Preferences, isWanted, type NoticeWay, type NotificationPreferences } from './preferences.js';
export { type Receiver, Receivers } from './receivers.js';
