import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { MINUTE_MS, Clock } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { HostingNode } from '../../hosting/index.js';
import { AgentNode, NodeNonce } from '../entities/index.js';
import { AgentError } from '../agent-error.js';
import { ScanStore } from '../scans/index.js';
import { NODE_ID } from '../wire/index.js';

/** Fields of an added or deleted agent in the operation log. */
const AUDITED_FIELDS = ['nodeId', 'name'];

/** Secrets of an agent; shown only when they are created. */
export interface AgentSecrets {
  readonly secret: string;
  readonly platformSecret: string;
}

/** Fields of a new node. */
export interface NewAgent {
  readonly hostingNodeId: number | undefined;
  /** Empty for the code of the hosting server. */
  readonly name: string;
  /** Empty for a random id. */
  readonly nodeId: string;
}

/** Adds, enables, disables and deletes agents and renews their secrets. */
@Injectable()
export class AgentsService {
  private readonly switchOn;
  private readonly changeSecrets;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly scans: ScanStore,
  ) {
    this.switchOn = database.statement(
      'UPDATE {AgentNode} SET {AgentNode.enabled} = ?, {AgentNode.status} = ?, {AgentNode.updatedAt} = ? WHERE {AgentNode.id} = ?',
    );
    // The old secret is part of the condition, so that only one of two concurrent changes succeeds.
    this.changeSecrets = database.statement(
      `UPDATE {AgentNode} SET {AgentNode.secret} = ?, {AgentNode.platformSecret} = ?, {AgentNode.previousSecret} = ?,
        {AgentNode.previousPlatformSecret} = ?,
        {AgentNode.previousUntil} = ?, {AgentNode.updatedAt} = ? WHERE {AgentNode.id} = ? AND {AgentNode.secret} = ?`,
    );
  }

  /** @throws AgentError NODE_NOT_FOUND */
  async get(id: number): Promise<AgentNode> {
    const node = await this.agents.findOneBy({ id });
    if (!node) throw new AgentError('NODE_NOT_FOUND');
    return node;
  }

  /** @throws AgentError SERVER_MISSING, SERVER_UNKNOWN, NODE_ID_FORM, NODE_ID_TAKEN */
  async add({ hostingNodeId, name, nodeId }: NewAgent): Promise<AgentNode> {
    if (!hostingNodeId) throw new AgentError('SERVER_MISSING');
    const server = await this.database.repository(HostingNode).findOneBy({ id: hostingNodeId });
    if (!server) throw new AgentError('SERVER_UNKNOWN');
    if (nodeId !== '' && !NODE_ID.test(nodeId)) throw new AgentError('NODE_ID_FORM');
    const now = this.clock.now();
    const node = this.agents.create({
      nodeId: nodeId || `node_${randomBytes(12).toString('hex')}`,
      name: name || server.code,
      hostingNodeId: server.id,
      ...newSecrets(),
      enabled: true,
      capabilities: [],
      createdAt: now,
      updatedAt: now,
    });
    try {
      await this.database.transaction(async () => {
        await this.agents.insert(node);
        this.database.noteChange({ of: 'agent', id: node.id, only: [...AUDITED_FIELDS, 'hostingNodeId', 'enabled'] }, null, node);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new AgentError('NODE_ID_TAKEN');
      throw error;
    }
    return node;
  }

  /** Enables or disables a node; the API treats a disabled node as unknown. @throws AgentError NODE_NOT_FOUND */
  async setEnabled(id: number, enabled: boolean): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('AgentNode', 'id', id);
      const present = await this.get(id);
      await this.switchOn.run(enabled, enabled ? 'offline' : 'disabled', this.clock.now(), id);
      this.database.noteChange({ of: 'agent', id }, present, { enabled });
    });
  }

  /**
   * Gives a node new secrets; the old ones stay valid for a while, so that the agent can be reconfigured.
   *
   * @param overlapMinutes 0 invalidates the old ones immediately
   * @throws AgentError NODE_NOT_FOUND; NODE_CHANGED after a concurrent change
   */
  async rotate(id: number, overlapMinutes: number): Promise<{ node: AgentNode; secrets: AgentSecrets }> {
    const node = await this.get(id);
    const secrets = newSecrets();
    const now = this.clock.now();
    const overlaps = overlapMinutes > 0;
    const previousUntil = overlaps ? new Date(now.getTime() + overlapMinutes * MINUTE_MS) : null;
    const { affected } = await this.changeSecrets.run(
      secrets.secret,
      secrets.platformSecret,
      overlaps ? node.secret : '',
      overlaps ? node.platformSecret : '',
      previousUntil,
      now,
      id,
      node.secret,
    );
    if (affected === 0) throw new AgentError('NODE_CHANGED');
    this.database.noteChange({ of: 'agent', id }, node, { ...secrets, previousUntil });
    return { node, secrets };
  }

  /** Deletes a node with its tasks, nonces, scans and matches. @throws AgentError NODE_NOT_FOUND */
  async delete(id: number): Promise<void> {
    // Disabled first, so that requests of its agent are rejected. The row is deleted last, so that an interrupted deletion can be repeated.
    const { affected } = await this.switchOn.run(false, 'disabled', this.clock.now(), id);
    if (affected === 0) throw new AgentError('NODE_NOT_FOUND');
    const present = await this.get(id);
    const { nodeId } = present;
    await this.scans.removeOfNode(nodeId);
    await this.database.transaction(async () => {
      await this.database.repository(NodeNonce).delete({ nodeId });
      const gone = await this.agents.delete({ id });
      if (gone.affected === 1) this.database.noteChange({ of: 'agent', id, only: [...AUDITED_FIELDS, 'hostingNodeId'] }, present, null);
    });
  }

  private get agents() {
    return this.database.repository(AgentNode);
  }
}

/** Returns 64 hex digits for the node and 48 for its part of the signing key. */
function newSecrets(): AgentSecrets {
  return { secret: randomBytes(32).toString('hex'), platformSecret: randomBytes(24).toString('hex') };
}
