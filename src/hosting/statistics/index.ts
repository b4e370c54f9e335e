import './texts.js';

export { LogDownloadController } from './log-download.controller.js';
export { RawLogs } from './raw-logs.js';
export { SiteStatistics } from './site-statistics.js';
export { StatisticPages } from './statistic.pages.js';
export { STATISTIC_PROVIDERS } from './providers.js';
