import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';

import { Job } from './job.js';

/** Old claims are of no use to anybody after this time, in milliseconds. */
const KEPT = 3 * 86_400_000;

/** Claims of ticks and daily runs: a unique row is the claim, so one process of many has it. */
@Injectable()
export class CronClaims {
  private readonly insert;
  private readonly remove;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(`${database.insertIgnore} {CronRun} ({CronRun.key}, {CronRun.claimedAt}) VALUES (?, ?)`);
    this.remove = database.statement('DELETE FROM {CronRun} WHERE {CronRun.claimedAt} < ?');
  }

  /** Whether `key` (at most 100 characters) is now ours; false when somebody had it first. */
  async claim(key: string): Promise<boolean> {
    return (await this.insert.run(key, this.clock.now())).affected === 1;
  }

  /** Forgets claims made more than three days ago. */
  @Job({ name: 'cron-claims', dailyAt: '04:00' })
  async removeOld(): Promise<void> {
    await this.remove.run(new Date(this.clock.now().getTime() - KEPT));
  }
}
