export { PanelPhp } from './panel-php.js';
export * from './panel-paths.js';
export * from './panel-sites.js';
export { PanelTables } from './panel-tables.js';
export { SiteCare } from './site-care.js';
export { PASSWORD, SiteCreation } from './site-creation.js';
export { readBytes } from './size-text.js';
export { readNote } from './site-mark.js';
