import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import { MenuOffers } from '../../web/index.js';
import { HostingError } from '../hosting-errors.js';
import { SiteAccess } from '../site-tools/index.js';

/** Tells the menu what the server of the own site can do. */
@Injectable()
export class OwnOffers implements OnModuleInit {
  constructor(
    private readonly offers: MenuOffers,
    private readonly sites: SiteAccess,
  ) {}

  onModuleInit(): void {
    this.offers.from((call) => this.of(call));
  }

  private async of(call: RequestContext): Promise<ReadonlySet<string>> {
    try {
      return (await this.sites.ofOwner(call, 'look')).ports;
    } catch (error) {
      // One that is being made or deleted, or whose server nobody drives, has nothing yet.
      if (error instanceof HostingError) return new Set();
      throw error;
    }
  }
}
