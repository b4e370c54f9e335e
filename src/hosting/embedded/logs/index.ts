export { EmbeddedStatistics } from './embedded-statistics.js';
export { SiteLogCare } from './site-log-care.js';
export { SiteLogFiles } from './site-log-files.js';
export { SiteLogs } from './site-logs.js';
