import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

/** Maps server ids to their codes. */
export const codesOf = (servers: readonly { id: number; code: string }[]): ReadonlyMap<number, string> =>
  new Map(servers.map(({ id, code }) => [id, code]));

/** Servers that a role can be limited to. */
@Injectable()
export class ServersOfRoles {
  private readonly select;

  constructor(database: Database) {
    this.select = database.statement<{ id: number; code: string }>(
      'SELECT {HostingNode.id} AS id, {HostingNode.code} AS code FROM {HostingNode} ORDER BY {HostingNode.code} LIMIT 1000',
    );
  }

  /** Returns the servers within reach. @param within allowed server ids; null allows all */
  async list(within: readonly number[] | null): Promise<{ id: number; code: string }[]> {
    const rows = await this.select.all();
    return rows.filter(({ id }) => within === null || within.includes(id));
  }
}
