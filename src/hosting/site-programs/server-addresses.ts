import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type HostingAccount, HostingNode } from '../entities/index.js';

/** Public addresses of servers, as set by administrators. */
@Injectable()
export class ServerAddresses {
  constructor(private readonly database: Database) {}

  /** Returns the address for file access to a host. */
  async of({ nodeCode }: Pick<HostingAccount, 'nodeCode'>): Promise<string> {
    const node = await this.database.repository(HostingNode).findOneBy({ code: nodeCode });
    return node?.ftpAddress || (node?.address ?? '');
  }
}
