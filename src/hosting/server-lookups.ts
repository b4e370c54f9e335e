import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../database/index.js';
import { ServerScopes } from '../operations/index.js';

/** Registers lookups of the server a host or kept site is on, for administrators limited to some servers. */
@Injectable()
export class ServerLookups implements OnModuleInit {
  constructor(
    private readonly scopes: ServerScopes,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const lookup = (sql: string): ((value: string) => Promise<number | null>) => {
      const statement = this.database.statement<{ id: number }>(sql);
      return async (value) => (await statement.get(value))?.id ?? null;
    };
    this.scopes.add('server', lookup('SELECT {HostingNode.id} AS id FROM {HostingNode} WHERE {HostingNode.id} = ?'));
    this.scopes.add(
      'server-code',
      lookup('SELECT {HostingNode.id} AS id FROM {HostingNode} WHERE {HostingNode.codeKey} = LOWER(?)'),
      'code',
    );
    this.scopes.add(
      'host',
      lookup(
        `SELECT n.{HostingNode.id} AS id FROM {HostingAccount} h JOIN {HostingNode} n ON n.{HostingNode.code} = h.{HostingAccount.nodeCode}
         WHERE h.{HostingAccount.id} = ?`,
      ),
    );
    this.scopes.add(
      'kept-site',
      lookup(
        `SELECT n.{HostingNode.id} AS id FROM {BinnedSite} b JOIN {HostingNode} n ON n.{HostingNode.code} = b.{BinnedSite.nodeCode}
         WHERE b.{BinnedSite.id} = ?`,
      ),
    );
  }
}
