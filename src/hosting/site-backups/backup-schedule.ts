import { Injectable } from '@nestjs/common';

import { DAY_MS, MINUTE_MS, Clock, legacyDay, loggerFor, startOfDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, Job, type JobTurn } from '../../jobs/index.js';
import { HostingAccount } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupFailures } from './backup-failures.js';
import { SiteBackupNotices } from './backup-notices.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRules } from './backup-rules.js';
import { SiteBackupWork } from './backup-work.js';

const log = loggerFor('hosting');
/** The quiet hours sites are spread over, as minutes of the day. */
const QUIET = { from: 60, minutes: 240 };
const BATCH = 200;
/** How long a backup waits before it is looked again whether its server is back. */
const WAIT_MS = 30 * MINUTE_MS;
/** After so long a task that is not there any more will not come back. */
const LOST_AFTER_MS = 10 * MINUTE_MS;

/**
 * Has sites backed up by themselves. Each has a minute of its own in the quiet hours, in which it is looked at every day;
 * one that is backed up weekly has a day of the week of its own too, and the first free one where that was missed. Days are
 * those of the installation's zone.
 */
@Injectable()
export class SiteBackupSchedule {
  private readonly due;
  private readonly claim;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly sites: SiteAccess,
    private readonly rules: SiteBackupRules,
    private readonly records: SiteBackupRecords,
    private readonly work: SiteBackupWork,
    private readonly failures: SiteBackupFailures,
    private readonly notices: SiteBackupNotices,
    private readonly queue: BackgroundQueue,
  ) {
    const isDue = '({HostingAccount.backupDueAt} IS NULL OR {HostingAccount.backupDueAt} <= ?)';
    const isAway = `EXISTS (SELECT 1 FROM {HostingNode} n WHERE n.{HostingNode.code} = {HostingAccount.nodeCode}
       AND n.{HostingNode.awaySince} IS NOT NULL)`;
    this.due = database.statement<{ id: number; planned: number; away: number }>(
      `SELECT {HostingAccount.id} AS id, {HostingAccount.backupDueAt} IS NOT NULL AS planned, ${isAway} AS away FROM {HostingAccount}
       WHERE ${isDue} ORDER BY {HostingAccount.backupDueAt}, {HostingAccount.id} LIMIT ${BATCH}`,
    );
    this.claim = database.statement(
      `UPDATE {HostingAccount} SET {HostingAccount.backupDueAt} = ? WHERE {HostingAccount.id} = ? AND ${isDue}`,
    );
  }

  /** Any number of processes may run it at once: each site is ordered by one. @returns how many backups were ordered here */
  @Job({ name: 'site-backups', everyMinutes: 10, timeoutMinutes: 60 })
  async orderDue(turn?: JobTurn): Promise<number> {
    await this.endLost();
    let ordered = 0;
    for (;;) {
      const now = this.clock.now();
      const rows = await this.due.all(now);
      for (const { id, planned, away } of rows) {
        turn?.signal.throwIfAborted();
        const waits = planned && away;
        const next = waits ? new Date(now.getTime() + WAIT_MS) : nextLook(id, now, this.config.timezone);
        const { affected } = await this.claim.run(next, id, now);
        // One that is seen for the first time has its minute today or tomorrow, one whose server is away is backed up once that is back.
        if (affected === 0 || !planned || waits) continue;
        if (await this.tryTo(id, now)) ordered += 1;
      }
      if (rows.length < BATCH) return ordered;
    }
  }

  /** Orders the backup of a site where one is due. @returns whether one was ordered */
  private async tryTo(id: number, now: Date): Promise<boolean> {
    try {
      const site = await this.sites.ofHost(id);
      const { account } = site;
      if (account.state !== 'active' || !site.has('backups') || !(await this.isDay(account, now))) return false;
      await this.work.make(site, 'scheduled', 'schedule');
      return true;
    } catch (error) {
      if (error instanceof SiteBackupError && error.code === 'LIMIT') await this.tellFull(id);
      // One that is busy has its next day; one site keeps nobody from the others.
      else if (!(error instanceof SiteBackupError)) log.warn({ err: error, account: id }, 'the backup of a site could not be ordered');
      return false;
    }
  }

  private async isDay(account: HostingAccount, now: Date): Promise<boolean> {
    const schedule = this.rules.scheduleOf(account);
    if (schedule !== 'weekly') return schedule === 'daily';
    if (new Date(legacyDay(now, this.config.timezone)).getUTCDay() === account.id % 7) return true;
    // The first one, and one whose day the panel was not there.
    const last = await this.records.lastScheduled(account.id);
    return last === null || now.getTime() - last.madeAt.getTime() > 7 * DAY_MS;
  }

  private async tellFull(id: number): Promise<void> {
    const { account } = await this.sites.ofHost(id);
    await this.notices.tellFull(account, await this.rules.limitOf(id));
  }

  /** Ends what is under way where its task is over without having said so: it was killed too often, or taken out of the queue. */
  private async endLost(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LOST_AFTER_MS);
    for (const row of await this.records.begun(before)) {
      const task = row.taskId === null ? null : await this.queue.find(row.taskId);
      if (task?.state === 'waiting' || task?.state === 'running') continue;
      const error = new SiteBackupError(task?.state === 'cancelled' ? 'CANCELLED' : 'INTERRUPTED');
      await this.failures.end(row, error);
    }
  }
}

/** When a site is looked at next: in its minute of the quiet hours. */
export function nextLook(id: number, now: Date, zone: string): Date {
  // 97 is prime to the minutes: hosts that were opened one after another are not backed up one after another.
  const minute = QUIET.from + ((id * 97) % QUIET.minutes);
  const ofDay = (moment: Date): Date => new Date(startOfDay(moment, zone).getTime() + minute * MINUTE_MS);
  const today = ofDay(now);
  return today > now ? today : ofDay(new Date(startOfDay(now, zone).getTime() + 1.5 * DAY_MS));
}
