import { Injectable } from '@nestjs/common';

import { DAY_MS, legacyDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type ClockJump, ClockWatch } from '../../jobs/index.js';
import { DeletionDay } from '../entities/index.js';

/** Minimum number of accounts jobs may delete per day. */
const MIN_PER_DAY = 5;
/** Share of all accounts jobs may delete per day. */
const SHARE = 0.02;
/** How long the counters of a day are kept, in milliseconds: 90 days. */
const RETENTION_MS = 90 * DAY_MS;

/** Source of changes that jobs make by rule. */
export const JOB_SOURCE = 'cron';

/** Today's state of deletions by jobs. */
export interface DeletionState {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Deletions jobs may begin without confirmation. */
  readonly most: number;
  readonly done: number;
  readonly waiting: number;
  /** An unconfirmed jump of the clock, during which jobs delete nothing; null if there is none. */
  readonly jump: ClockJump | null;
  /** Administrator who confirmed all of today's deletions; null if nobody did. */
  readonly releasedBy: string | null;
}

/**
 * Limits how many accounts jobs may delete per day without confirmation: 5 accounts or 2 % of all, whichever is more, and none after the
 * clock jumped. This keeps a wrong setting or a wrong clock from emptying an installation. `AccountTermination.terminate` checks it for
 * every deletion by a job, so no job can bypass it.
 */
@Injectable()
export class DeletionCap {
  private readonly takeOne;
  private readonly open;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly watch: ClockWatch,
  ) {
    this.takeOne = database.statement(
      `UPDATE {DeletionDay} SET {DeletionDay.done} = {DeletionDay.done} + 1
       WHERE {DeletionDay.day} = ? AND ({DeletionDay.releasedBy} IS NOT NULL OR {DeletionDay.done} < ?)`,
    );
    this.open = database.statement(
      `${database.insertIgnore} {DeletionDay} ({DeletionDay.day}, {DeletionDay.accounts}, {DeletionDay.done}, {DeletionDay.waiting})
       SELECT ?, COUNT(*), 0, 0 FROM {HostingAccount}`,
    );
  }

  private get rows() {
    return this.database.repository(DeletionDay);
  }

  /** Returns today's state. */
  async state(): Promise<DeletionState> {
    const { day, accounts, done, waiting, waitingExpired, releasedBy } = await this.today();
    return { day, done, waiting: waiting + waitingExpired, releasedBy, most: maxOf(accounts), jump: await this.watch.check() };
  }

  /** Returns whether a job may begin another deletion today. */
  async hasRoom(): Promise<boolean> {
    const { done, most, releasedBy, jump } = await this.state();
    return jump === null && (releasedBy !== null || done < most);
  }

  /** Counts one deletion against today's limit. @returns false when the limit is reached */
  async take(): Promise<boolean> {
    const { day, most, jump } = await this.state();
    return jump === null && (await this.takeOne.run(day, most)).affected > 0;
  }

  /** Stores how many unused or expired accounts are waiting for deletion today. */
  async hold(of: 'idle' | 'expired', waiting: number): Promise<void> {
    const { day } = await this.today();
    await this.rows.update({ day }, of === 'idle' ? { waiting } : { waitingExpired: waiting });
  }

  /** Confirms all deletions due today. @param by name of the administrator. @returns false if they were confirmed already */
  async release(by: string): Promise<boolean> {
    const { day } = await this.today();
    const { affected } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ releasedBy: by.slice(0, 100) })
      .where('day = :day AND released_by IS NULL', { day })
      .execute();
    return (affected ?? 0) > 0;
  }

  private async today(): Promise<DeletionDay> {
    const now = this.clock.now();
    const day = legacyDay(now, this.clock.timezone);
    const row = await this.rows.findOneBy({ day });
    if (row) return row;
    await this.open.run(day);
    const old = legacyDay(new Date(now.getTime() - RETENTION_MS), this.clock.timezone);
    await this.rows.createQueryBuilder().delete().where('day < :old', { old }).execute();
    return this.rows.findOneByOrFail({ day });
  }
}

const maxOf = (accounts: number): number => Math.max(MIN_PER_DAY, Math.floor(accounts * SHARE));
