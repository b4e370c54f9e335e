import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../database/index.js';
import { ServerScopes } from '../operations/index.js';

/** Resolves an agent to its server, for administrators limited to certain servers. */
@Injectable()
export class AgentServers implements OnModuleInit {
  constructor(
    private readonly scopes: ServerScopes,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const serverOf = this.database.statement<{ id: number | null }>(
      'SELECT {AgentNode.hostingNodeId} AS id FROM {AgentNode} WHERE {AgentNode.id} = ?',
    );
    this.scopes.add('agent', async (value) => (await serverOf.get(value))?.id ?? null);
  }
}
