import { BaotaAccess } from './baota-access.js';
import { BaotaCredentials } from './baota-credentials.js';
import { BaotaDatabase } from './baota-database.js';
import { DatabaseRows } from './database-rows.js';

export { BaotaAccess, BaotaCredentials, BaotaDatabase };

/** Databases and FTP accounts of servers that run BaoTa. */
export const BAOTA_PROGRAM_PROVIDERS = [DatabaseRows, BaotaDatabase, BaotaAccess, BaotaCredentials];
