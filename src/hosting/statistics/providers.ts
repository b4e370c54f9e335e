import { LogLines } from './log-lines.js';
import { RawLogs } from './raw-logs.js';
import { SiteStatistics } from './site-statistics.js';
import { StatisticRepository } from './statistic-repository.js';
import { StatisticCollector } from './statistic-collector.js';
import { StatisticResetOperations } from './statistic-reset.operations.js';
import { StatisticRetention } from './statistic-retention.js';
import { statisticOperations, StatisticsSettingsOperations } from './statistic.operations.js';

/** Visitor statistics of sites: collection, storage, display and retention. */
export const STATISTIC_PROVIDERS = [
  RawLogs,
  SiteStatistics,
  StatisticRepository,
  LogLines,
  StatisticCollector,
  StatisticRetention,
  ...statisticOperations,
  StatisticsSettingsOperations,
  StatisticResetOperations,
];
