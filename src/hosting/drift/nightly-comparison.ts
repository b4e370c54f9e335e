import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { HostingNode } from '../entities/index.js';

import { NIGHTLY, NodeDifferences } from './node-differences.js';

/**
 * Has every server compared each night, as **Compare and repair** does it: what is found stands on the page of the
 * server, and nothing is changed.
 */
@Injectable()
export class NightlyComparison {
  constructor(
    private readonly database: Database,
    private readonly differences: NodeDifferences,
  ) {}

  /**
   * Orders one comparison of each server that is on; one that is being compared already is left to that.
   *
   * @returns how many servers there are
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
