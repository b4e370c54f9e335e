import { Module } from '@nestjs/common';

import { SiteBackupsModule } from '../site-backups/index.js';

import { accessOperations } from './access.operations.js';
import { CommandBook } from './command-book.js';
import { CommandDeeds } from './command-deeds.js';
import { commandOperations } from './command.operations.js';
import { DatabaseBackups } from './database-backups.js';
import { databaseBackupOperations } from './database-backup.operations.js';
import { DatabaseDeeds } from './database-deeds.js';
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
    CommandBook,
    CommandDeeds,
    DatabaseBackups,
    DatabaseDeeds,
    ...phpOperations,
    ...databaseOperations,
    ...databaseBackupOperations,
    ...accessOperations,
    ...commandOperations,
  ],
  exports: [ServerAddresses, CommandBook, DatabaseBackups],
})
export class SiteProgramsModule {}
