import { Injectable } from '@nestjs/common';

import { NoInput, Operation, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingError } from '../hosting-errors.js';
import { SiteAccess } from '../site-tools/index.js';

/** The database of a site. No kind of server has any yet: what programs ask for is refused by name, and not taken for done. */
@Injectable()
export class DatabaseOperations {
  constructor(private readonly access: SiteAccess) {}

  /** @throws HostingError PORT_MISSING */
  @Operation({
    side: 'user',
    gn: 'databaseadd',
    also: ['backup_list', 'databasedel', 'databasedownload', 'databaserestore', 'databaseaq1', 'sqlsso'],
    auth: 'user',
    input: NoInput,
    audit: null,
    rate: 'write',
  })
  async refuse(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    await this.access.ofOwner(ctx, 'look');
    throw new HostingError('PORT_MISSING');
  }
}
