import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';

/** How long sent messages are kept, in days. */
const DELIVERIES_KEPT = 90;
/** How long notices are kept, in days. */
const NOTICES_KEPT = 365;
const BATCH = 500;

/** Deletes notices older than a year and messages older than 90 days. */
@Injectable()
export class NoticeRetention {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns number of deleted rows */
  @Job({ name: 'notice-retention', dailyAt: '04:50' })
  async run(turn?: JobTurn): Promise<number> {
    return (
      (await this.clear('NoticeDelivery', DELIVERIES_KEPT, "{NoticeDelivery.state} <> 'waiting' AND", turn)) +
      (await this.clear('Notice', NOTICES_KEPT, '', turn))
    );
  }

  private async clear(entity: 'Notice' | 'NoticeDelivery', days: number, condition: string, turn?: JobTurn): Promise<number> {
    const before = new Date(this.clock.now().getTime() - days * DAY_MS);
    const old = this.database.statement<{ id: number }>(
      `SELECT {${entity}.id} AS id FROM {${entity}} WHERE ${condition} {${entity}.createdAt} < ? ORDER BY {${entity}.id} LIMIT ${BATCH}`,
    );
    for (let removed = 0; ;) {
      turn?.signal.throwIfAborted();
      const ids = (await old.all(before)).map(({ id }) => id);
      if (ids.length > 0) await this.database.repository<{ id: number }>(entity).delete(ids);
      removed += ids.length;
      if (ids.length < BATCH) return removed;
    }
  }
}
