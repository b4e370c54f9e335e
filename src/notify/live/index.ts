export { NewNotices } from './new-notices.js';
export { NoticeStreamController } from './notice-stream.controller.js';
export { NoticeStreams } from './notice-streams.js';
