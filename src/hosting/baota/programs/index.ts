import { BaotaAccess } from './baota-access.js';
import { BaotaCredentials } from './baota-credentials.js';
import { BaotaDatabase } from './baota-database.js';
import { DatabaseRows } from './database-rows.js';

export { BaotaAccess, BaotaCredentials, BaotaDatabase };

/** Providers for databases and FTP accounts of servers running BaoTa. */
export const BAOTA_PROGRAM_PROVIDERS = [DatabaseRows, BaotaDatabase, BaotaAccess, BaotaCredentials];
