import { BaotaDriver } from './baota-driver.js';
import { BaotaPrograms, BaotaServing, BaotaStorage } from './baota-ports.js';
import { PanelClient, PanelConnections } from './client/index.js';
import { BAOTA_FILE_PROVIDERS } from './files/index.js';
import { BAOTA_PROGRAM_PROVIDERS } from './programs/index.js';
import { ServerView } from './server-view.js';
import { BAOTA_SERVING_PROVIDERS } from './serving/index.js';
import { PanelPhp, PanelSites, PanelTables, SiteMaintenance, SiteCreation } from './sites/index.js';

/** Providers of the driver for servers running BaoTa. */
export const BAOTA_PROVIDERS = [
  PanelConnections,
  PanelClient,
  PanelTables,
  PanelSites,
  PanelPhp,
  SiteCreation,
  SiteMaintenance,
  ServerView,
  ...BAOTA_FILE_PROVIDERS,
  ...BAOTA_SERVING_PROVIDERS,
  ...BAOTA_PROGRAM_PROVIDERS,
  BaotaPrograms,
  BaotaServing,
  BaotaStorage,
  BaotaDriver,
];
