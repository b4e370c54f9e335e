import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import { OfferSource } from '../../web/index.js';
import { HostingError } from '../hosting-errors.js';
import { SiteAccess } from '../site-tools/index.js';

/** Tells the menu which capabilities the server of the user's site has. */
@Injectable()
export class OwnOffers extends OfferSource {
  constructor(private readonly sites: SiteAccess) {
    super();
  }

  override async of(call: RequestContext): Promise<ReadonlySet<string>> {
    try {
      return (await this.sites.ofOwner(call, 'read')).ports;
    } catch (error) {
      // A site being created or deleted, or whose server has no driver, has no capabilities.
      if (error instanceof HostingError) return new Set();
      throw error;
    }
  }
}
