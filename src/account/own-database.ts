import { Injectable } from '@nestjs/common';

import { DatabasePasswords, SiteAccess } from '../hosting/index.js';
import type { CallContext } from '../sdk/index.js';

/** The database of the signed-in user's site, if its server provides one per site. */
@Injectable()
export class OwnDatabase {
  constructor(
    private readonly sites: SiteAccess,
    private readonly passwords: DatabasePasswords,
  ) {}

  /** @throws HostingError as `SiteAccess.ofOwner` */
  async isThere(ctx: CallContext): Promise<boolean> {
    return (await this.sites.ofOwner(ctx, 'read')).has('database');
  }

  /** @throws HostingError as `SiteAccess.ofOwner` and `DatabasePasswords.change` */
  async changePassword(ctx: CallContext, password: string): Promise<void> {
    await this.passwords.change(await this.sites.ofOwner(ctx, 'change'), password);
  }
}
