export { sendLinkMail } from './link-mail.js';
export { textAsHtml } from './mail-html.js';
export { DeliveryFailures } from './delivery-failures.js';
export { DeliveryWorker } from './delivery-worker.js';
export { NoticeChannelMessages } from './notice-channel-messages.js';
export { NoticeMails } from './notice-mails.js';
export { StoreMails } from './store-mails.js';
export { NoticeRetention } from './retention.js';
