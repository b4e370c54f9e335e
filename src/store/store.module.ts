import './texts.js';

import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ACCOUNT_CONTROLLERS, ACCOUNT_SERVICES, StoreSessions } from './accounts/index.js';
import { AuditController, StoreAuditLog } from './audit/index.js';
import { DocsController, StoreRoutes } from './docs/index.js';
import { StoreGuard } from './http/store-access.js';
import { UnknownPathController } from './http/unknown-path.controller.js';

/** The store. {@link UnknownPathController} takes what is left under `/api/` and therefore stands last. */
@Module({
  imports: [DiscoveryModule],
  controllers: [...ACCOUNT_CONTROLLERS, AuditController, DocsController, UnknownPathController],
  providers: [StoreGuard, StoreAuditLog, StoreRoutes, ...ACCOUNT_SERVICES],
  exports: [StoreSessions],
})
export class StoreModule {}
