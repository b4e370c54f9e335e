import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type ClockJump, ClockWatch } from '../../jobs/index.js';
import { DeletionDay } from '../entities/index.js';

/** Accounts jobs may delete a day, at least. */
const LEAST = 5;
/** Share of all accounts they may delete a day. */
const SHARE = 0.02;
/** How long days are remembered, in milliseconds: 90 days. */
const REMEMBERED_MS = 90 * DAY_MS;

/** Source of changes that jobs make by rule. */
export const JOB_SOURCE = 'cron';

/** How deletions by jobs stand today. */
export interface DeletionState {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Deletions jobs may begin without a yes. */
  readonly most: number;
  readonly done: number;
  readonly waiting: number;
  /** A jump of the clock nobody has confirmed: no job deletes anything; null: there is none. */
  readonly jump: ClockJump | null;
  /** Who let all of them go today; null: nobody has. */
  readonly releasedBy: string | null;
}

/**
 * What jobs may delete a day before somebody says yes: 5 accounts or 2 % of all, whichever is more, and none once the clock
 * jumped. A wrong setting, or a wrong clock, does not empty an installation. `AccountTermination.terminate` asks it for every
 * deletion by a job, so no job can forget to.
 */
@Injectable()
export class DeletionCap {
  private readonly takeOne;
  private readonly open;

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
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

  /** How today stands. */
  async state(): Promise<DeletionState> {
    const { day, accounts, done, waiting, waitingExpired, releasedBy } = await this.today();
    return { day, done, waiting: waiting + waitingExpired, releasedBy, most: mostOf(accounts), jump: await this.watch.check() };
  }

  /** Whether a job may begin another deletion today. */
  async hasRoom(): Promise<boolean> {
    const { done, most, releasedBy, jump } = await this.state();
    return jump === null && (releasedBy !== null || done < most);
  }

  /** Takes one of today's places. @returns false where there is none left */
  async take(): Promise<boolean> {
    const { day, most, jump } = await this.state();
    return jump === null && (await this.takeOne.run(day, most)).affected > 0;
  }

  /** Notes how many accounts wait today: those nobody uses, or those whose time is over. */
  async hold(of: 'idle' | 'expired', waiting: number): Promise<void> {
    const { day } = await this.today();
    await this.rows.update({ day }, of === 'idle' ? { waiting } : { waitingExpired: waiting });
  }

  /** Lets jobs delete whatever is due today. @param by name of the administrator. @returns false where somebody had already */
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
    const day = legacyDay(now, this.config.timezone);
    const row = await this.rows.findOneBy({ day });
    if (row) return row;
    await this.open.run(day);
    const old = legacyDay(new Date(now.getTime() - REMEMBERED_MS), this.config.timezone);
    await this.rows.createQueryBuilder().delete().where('day < :old', { old }).execute();
    return this.rows.findOneByOrFail({ day });
  }
}

const mostOf = (accounts: number): number => Math.max(LEAST, Math.floor(accounts * SHARE));
