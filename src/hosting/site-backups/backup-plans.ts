import { Injectable } from '@nestjs/common';

import { DAY_MS, MINUTE_MS, legacyDay, startOfDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type SiteBackupFrequency, HostingAccount } from '../entities/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRules } from './backup-rules.js';

/** The night hours that backups are spread over, as minutes of the day. */
const NIGHT = { from: 60, minutes: 240 };
const BATCH = 200;
/** How long a backup is postponed while its server is unreachable. */
const POSTPONED_MS = 30 * MINUTE_MS;

/**
 * Plans when sites are backed up automatically. Every site has its own minute of the night, in which it is checked every day. A weekly
 * backup also has its own day of the week; if that was missed, the next day takes over. Days are in the installation's time zone.
 */
@Injectable()
export class SiteBackupPlans {
  private readonly due;
  private readonly claim;

  constructor(
    private readonly database: Database,
    private readonly rules: SiteBackupRules,
    private readonly records: SiteBackupRecords,
    private readonly clock: ZonedClock,
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

  /**
   * Claims the hosts that are due and plans their next check. Several processes may do so at a time: each host is claimed by one.
   *
   * @returns the id of each claimed host and the moment of the claim
   */
  async *claimDue(signal?: AbortSignal): AsyncGenerator<{ readonly id: number; readonly now: Date }> {
    for (;;) {
      const now = this.clock.now();
      const rows = await this.due.all(now);
      for (const { id, planned, away } of rows) {
        signal?.throwIfAborted();
        const isPostponed = planned && away;
        const next = isPostponed ? new Date(now.getTime() + POSTPONED_MS) : nextCheck(id, now, this.clock.timezone);
        const { affected } = await this.claim.run(next, id, now);
        // A host seen for the first time is only given its minute, today or tomorrow.
        if (affected > 0 && planned && !isPostponed) yield { id, now };
      }
      if (rows.length < BATCH) return;
    }
  }

  /** Whether a host is backed up on this day. */
  async isDay(account: HostingAccount, now: Date): Promise<boolean> {
    const schedule = this.rules.scheduleOf(account);
    if (schedule !== 'weekly') return schedule === 'daily';
    if (new Date(legacyDay(now, this.clock.timezone)).getUTCDay() === account.id % 7) return true;
    // The first backup, and one whose day was missed because the panel was not running.
    const last = await this.records.lastScheduled(account.id);
    return last === null || now.getTime() - last.madeAt.getTime() > 7 * DAY_MS;
  }

  /**
   * Saves how often a host is backed up automatically.
   *
   * @param schedule null: as the settings of the installation say
   * @throws SiteBackupError NOT_OFFERED if the host may have no backups
   */
  async save(account: HostingAccount, schedule: SiteBackupFrequency | null): Promise<void> {
    if ((await this.rules.limitOf(account.id)) === 0) throw new SiteBackupError('NOT_OFFERED');
    const values = { backupSchedule: schedule, backupDueAt: nextCheck(account.id, this.clock.now(), this.clock.timezone) };
    await this.database.transaction(async () => {
      await this.database.repository(HostingAccount).update({ id: account.id }, values);
      this.database.noteChange({ of: 'host', id: account.id, only: ['backupSchedule'] }, account, values);
    });
  }
}

/** Returns when a host is checked next: in its own minute of the night. */
function nextCheck(id: number, now: Date, zone: string): Date {
  // 97 and the number of minutes have no common factor, so hosts with consecutive ids are spread over the whole night.
  const minute = NIGHT.from + ((id * 97) % NIGHT.minutes);
  const ofDay = (moment: Date): Date => new Date(startOfDay(moment, zone).getTime() + minute * MINUTE_MS);
  const today = ofDay(now);
  return today > now ? today : ofDay(new Date(startOfDay(now, zone).getTime() + 1.5 * DAY_MS));
}
