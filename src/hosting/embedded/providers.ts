import { EmbeddedBackups } from './backups/index.js';
import { EmbeddedDriver } from './embedded-driver.js';
import { EmbeddedTraffic } from './embedded-traffic.js';
import { SiteAreas, EmbeddedFiles } from './files/index.js';
import { EmbeddedStatistics, SiteLogMaintenance, SiteLogFiles, SiteLogWriter } from './logs/index.js';
import { SiteFolders } from './site-folders.js';

/** Providers of the built-in server: its driver, and its storage of sites. */
export const EMBEDDED_PROVIDERS = [
  SiteFolders,
  SiteAreas,
  EmbeddedFiles,
  EmbeddedBackups,
  EmbeddedDriver,
  EmbeddedTraffic,
  EmbeddedStatistics,
  SiteLogMaintenance,
  SiteLogFiles,
  SiteLogWriter,
];
