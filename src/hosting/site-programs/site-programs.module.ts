import { Module } from '@nestjs/common';

import { accessOperations } from './access.operations.js';
import { OwnOffers } from './own-offers.js';
import { phpOperations } from './php.operations.js';
import { ServerAddresses } from './server-addresses.js';

/** What sites run, on servers that run anything. */
@Module({
  providers: [OwnOffers, ServerAddresses, ...phpOperations, ...accessOperations],
  exports: [ServerAddresses],
})
export class SiteProgramsModule {}
