import { Global, Module } from '@nestjs/common';

import { CustomerSessions } from './customer-sessions.js';
import { Customers } from './customers.js';
import { HostOwners } from './host-owners.js';

/** Who buys, how he signs in, and whose hosts are. */
@Global()
@Module({
  providers: [CustomerSessions, Customers, HostOwners],
  exports: [CustomerSessions, Customers, HostOwners],
})
export class CustomersModule {}
