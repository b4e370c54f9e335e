import { EmbeddedBackups } from './backups/index.js';
import { EmbeddedDriver } from './embedded-driver.js';
import { EmbeddedTraffic } from './embedded-traffic.js';
import { SiteAreas, EmbeddedFiles } from './files/index.js';
import { EmbeddedStatistics, SiteLogMaintenance, SiteLogFiles, SiteLogs } from './logs/index.js';
import { SiteFolders } from './site-folders.js';

/** The server in this process: its driver, and what it keeps of sites. */
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
  SiteLogs,
];
