import { Injectable } from '@nestjs/common';

import { HostOwners } from '../../customers/index.js';
import type { HostRecord } from '../../sdk/index.js';
import { HostingService } from '../hosting.service.js';

/** Assigns hosts to customers. */
@Injectable()
export class HostOwnership {
  constructor(
    private readonly hosting: HostingService,
    private readonly owners: HostOwners,
  ) {}

  /** Sets the owner of a host; null for none. @throws CustomerError CUSTOMER_MISSING; HostingError ACCOUNT_NOT_FOUND, ACCOUNT_BUSY */
  assign(hostId: number, customerId: number | null): Promise<HostRecord> {
    return this.hosting.setOwner(hostId, customerId, () => (customerId === null ? Promise.resolve() : this.owners.require(customerId)));
  }

  /** A customer's hosts, oldest first. */
  async hostsOf(customerId: number): Promise<HostRecord[]> {
    return this.hosting.list(await this.owners.hostsOf(customerId));
  }
}
