import { BaotaDriver } from './baota-driver.js';
import { BaotaPrograms } from './baota-programs.js';
import { PanelClient, PanelConnections } from './client/index.js';
import { ServerView } from './server-view.js';
import { PanelPhp, PanelSites, PanelTables, SiteCare, SiteCreation } from './sites/index.js';

export { BaotaDriver } from './baota-driver.js';

/** What serves servers that run BaoTa. */
export const BAOTA_PROVIDERS = [
  PanelConnections,
  PanelClient,
  PanelTables,
  PanelSites,
  PanelPhp,
  SiteCreation,
  SiteCare,
  ServerView,
  BaotaPrograms,
  BaotaDriver,
];
