import './texts.js';

export { LogDownloadController } from './log-download.controller.js';
export { RawLogs } from './raw-logs.js';
export { SiteStatistics } from './site-statistics.js';
export { StatisticRepository } from './statistic-repository.js';
export { LogLines } from './log-lines.js';
export { StatisticCollector } from './statistic-collector.js';
export { StatisticPages } from './statistic.pages.js';
export { StatisticRetention } from './statistic-retention.js';
export { StatisticResetOperations } from './statistic-reset.operations.js';
export { statisticOperations, StatisticsSettingsOperations } from './statistic.operations.js';
export { STATISTIC_PROVIDERS } from './providers.js';
