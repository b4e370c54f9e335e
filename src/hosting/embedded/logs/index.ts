export { EmbeddedStatistics } from './embedded-statistics.js';
export { SiteLogMaintenance } from './site-log-maintenance.js';
export { SiteLogFiles } from './site-log-files.js';
export { SiteLogWriter } from './site-log-writer.js';
