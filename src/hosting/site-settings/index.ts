export { SettingBook } from './setting-book.js';
export { SettingOperations } from './setting.operations.js';
export { SiteSettingPages } from './setting.pages.js';
