export { PanelPhp } from './panel-php.js';
export * from './panel-paths.js';
export * from './panel-sites.js';
export { PanelTables } from './panel-tables.js';
export { SiteMaintenance } from './site-maintenance.js';
export { PASSWORD, SiteCreation } from './site-creation.js';
export { readBytes } from './size-text.js';
