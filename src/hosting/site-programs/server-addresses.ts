import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type HostingAccount, HostingNode } from '../entities/index.js';

/** Addresses of servers for people, as administrators set them. */
@Injectable()
export class ServerAddresses {
  constructor(private readonly database: Database) {}

  /** The address files of a host are reached at. */
  async of({ nodeCode }: Pick<HostingAccount, 'nodeCode'>): Promise<string> {
    const node = await this.database.repository(HostingNode).findOneBy({ code: nodeCode });
    return node?.ftpAddress || (node?.address ?? '');
  }
}
