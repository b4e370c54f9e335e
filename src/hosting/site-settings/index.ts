export { DatabaseOperations } from './database.operations.js';
export { SettingBook } from './setting-book.js';
export { settingOperations } from './setting.operations.js';
export { SiteSettingPages } from './setting.pages.js';
