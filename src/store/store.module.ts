import './texts.js';

import { Module } from '@nestjs/common';

import { StoreIdentities } from './accounts/store-identities.js';
import { StoreSessions } from './accounts/store-sessions.js';
import { StoreTokens } from './accounts/store-tokens.js';
import { FINDING, FindingController } from './finding/index.js';
import { StoreGuard } from './http/store-access.js';
import { UnknownPathController } from './http/unknown-path.controller.js';

/** The store. {@link UnknownPathController} takes what is left under `/api/` and therefore stands last. */
@Module({
  controllers: [FindingController, UnknownPathController],
  providers: [...FINDING, StoreGuard, StoreIdentities, StoreSessions, StoreTokens],
  exports: [StoreSessions],
})
export class StoreModule {}
