import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { HostingNode } from '../entities/index.js';

import { NIGHTLY, NodeDifferences } from './node-differences.js';

/** Compares every server each night, like **Compare and repair**: the result is shown on the page of the server, and nothing is changed. */
@Injectable()
export class NightlyComparison {
  constructor(
    private readonly database: Database,
    private readonly differences: NodeDifferences,
  ) {}

  /**
   * Queues one comparison per enabled server, unless one is queued already.
   *
   * @returns the number of servers
   */
  @Job({ name: 'node-drift', dailyAt: '03:20' })
  async run(turn?: JobTurn): Promise<number> {
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true }, order: { id: 'ASC' } });
    for (const { id } of nodes) {
      turn?.signal.throwIfAborted();
      await this.differences.order({ nodeId: id, isRepair: false, by: NIGHTLY });
    }
    return nodes.length;
  }
}
