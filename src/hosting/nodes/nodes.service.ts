import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { HostingNode, NodeSystem } from '../entities/index.js';

/** Code of the node that is this machine. */
export const EMBEDDED_NODE = 'local';

/** Nodes accounts live on. */
@Injectable()
export class NodesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** First-start data: this machine as a node with keys of its own. Nothing happens where there is any node already. */
  async ensureEmbeddedNode(): Promise<void> {
    const nodes = this.database.repository(HostingNode);
    if (await nodes.count()) return;
    const node = nodes.create({
      code: EMBEDDED_NODE,
      address: '127.0.0.1',
      openKey: randomBytes(16).toString('hex'),
      signatureKey: randomBytes(16).toString('hex'),
      system: process.platform === 'win32' ? NodeSystem.Windows : NodeSystem.Linux,
      driver: 'embedded',
      enabled: true,
      createdAt: this.clock.now(),
    });
    try {
      await nodes.insert(node);
    } catch (error) {
      // Another process started at the same moment and was first.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /** Nodes new accounts may be opened on, by code. */
  async open(): Promise<{ code: string; name: string }[]> {
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true }, order: { code: 'ASC' }, take: 1_000 });
    return nodes.map((node) => ({ code: node.code, name: node.dnsTarget || node.code }));
  }

  /** The node of a code; null when there is none. */
  find(code: string): Promise<HostingNode | null> {
    return this.database.repository(HostingNode).findOneBy({ code });
  }

  /** A page of the nodes, newest first, and how many there are. */
  page(page: number, limit: number): Promise<[HostingNode[], number]> {
    return this.database.repository(HostingNode).findAndCount({ order: { id: 'DESC' }, skip: (page - 1) * limit, take: limit });
  }
}
