import { Global, Module } from '@nestjs/common';

import { OfferSource } from '../../web/index.js';
import { SiteBackupsModule } from '../site-backups/index.js';

import { accessOperations } from './access.operations.js';
import { CommandRepository } from './command-repository.js';
import { CommandActions } from './command-actions.js';
import { commandOperations } from './command.operations.js';
import { DatabaseBackups } from './database-backups.js';
import { databaseBackupOperations } from './database-backup.operations.js';
import { DatabaseActions } from './database-actions.js';
import { databaseOperations } from './database.operations.js';
import { OwnOffers } from './own-offers.js';
import { phpOperations } from './php.operations.js';
import { ServerAddresses } from './server-addresses.js';

/** Programs of sites, on servers that run any. Global for the menu, which needs the capabilities of the user's server. */
@Global()
@Module({
  imports: [SiteBackupsModule],
  providers: [
    { provide: OfferSource, useClass: OwnOffers },
    ServerAddresses,
    CommandRepository,
    CommandActions,
    DatabaseBackups,
    DatabaseActions,
    ...phpOperations,
    ...databaseOperations,
    ...databaseBackupOperations,
    ...accessOperations,
    ...commandOperations,
  ],
  exports: [OfferSource, ServerAddresses, CommandRepository, DatabaseBackups],
})
export class SiteProgramsModule {}
