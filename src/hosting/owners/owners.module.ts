import { Module } from '@nestjs/common';

import { CustomerHostOperations } from './customer-host.operations.js';
import { HostOwnerOperations } from './host-owner.operations.js';
import { HostOwnership } from './host-ownership.js';

/** Ownership of hosts, in a module of its own because the rest of hosting does not depend on customers and passwords. */
@Module({ providers: [CustomerHostOperations, HostOwnerOperations, HostOwnership], exports: [HostOwnership] })
export class OwnersModule {}
