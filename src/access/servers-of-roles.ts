import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

/** Codes of servers by their ids. */
export const codesOf = (servers: readonly { id: number; code: string }[]): ReadonlyMap<number, string> =>
  new Map(servers.map(({ id, code }) => [id, code]));

/** Servers a role can be limited to, by id. */
@Injectable()
export class ServersOfRoles {
  private readonly select;

  constructor(database: Database) {
    this.select = database.statement<{ id: number; code: string }>(
      'SELECT {HostingNode.id} AS id, {HostingNode.code} AS code FROM {HostingNode} ORDER BY {HostingNode.code} LIMIT 1000',
    );
  }

  /** Each with its code; those out of reach of `within` are left out. @param within null: every one */
  async list(within: readonly number[] | null): Promise<{ id: number; code: string }[]> {
    const rows = await this.select.all();
    return rows.filter(({ id }) => within === null || within.includes(id));
  }
}
