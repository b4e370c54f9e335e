export { AnnouncementBanner } from './announcement-banner.js';
export { AnnouncementOperations } from './announcement.operations.js';
export { AnnouncementPages } from './announcement.pages.js';
export { Announcements } from './announcements.js';
