import { BaotaBackups } from './baota-backups.js';
import { BaotaFiles } from './baota-files.js';
import { BaotaLogs } from './baota-logs.js';
import { LocalCopies } from './local-copy.js';
import { PanelDisk } from './panel-disk.js';
import { SiteFileAccess } from './site-file-access.js';

export { BaotaBackups } from './baota-backups.js';
export { BaotaFiles } from './baota-files.js';
export { BaotaLogs } from './baota-logs.js';
export { LocalCopies } from './local-copy.js';
export { PanelDisk } from './panel-disk.js';
export { readAll } from './reading.js';
export type { RemoteSite } from './remote-site.js';
export { SiteFileAccess } from './site-file-access.js';

/** Providers of the files port on servers running BaoTa. */
export const BAOTA_FILE_PROVIDERS = [PanelDisk, LocalCopies, SiteFileAccess, BaotaFiles, BaotaBackups, BaotaLogs];
