import { Module } from '@nestjs/common';

import { SiteBackupsModule } from '../site-backups/index.js';

import { accessOperations } from './access.operations.js';
import { DatabaseBackups } from './database-backups.js';
import { databaseBackupOperations } from './database-backup.operations.js';
import { DatabaseDeeds } from './database-deeds.js';
import { DatabasePasswords } from './database-passwords.js';
import { databaseOperations } from './database.operations.js';
import { OwnOffers } from './own-offers.js';
import { phpOperations } from './php.operations.js';
import { ServerAddresses } from './server-addresses.js';

/** What sites run, on servers that run anything. */
@Module({
  imports: [SiteBackupsModule],
  providers: [
    OwnOffers,
    ServerAddresses,
    DatabaseBackups,
    DatabaseDeeds,
    DatabasePasswords,
    ...phpOperations,
    ...databaseOperations,
    ...databaseBackupOperations,
    ...accessOperations,
  ],
  exports: [ServerAddresses, DatabaseBackups, DatabasePasswords],
})
export class SiteProgramsModule {}
