import { Module } from '@nestjs/common';

import { CustomerHostOperations } from './customer-host.operations.js';
import { HostOwnerOperations } from './host-owner.operations.js';
import { HostOwnership } from './host-ownership.js';

/** Ownership of hosts, apart from the rest of hosting, which knows no customers and no passwords. */
@Module({ providers: [CustomerHostOperations, HostOwnerOperations, HostOwnership], exports: [HostOwnership] })
export class OwnersModule {}
