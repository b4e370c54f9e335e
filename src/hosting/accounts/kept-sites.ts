import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { JobRuns } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { BinnedSite, type HostingAccount, SiteBackup } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Deletion of an account: who ordered it, and whether its site is kept. */
export interface Deletion {
  /** `admin`, `api`, `cron`, or the slug of a plugin. */
  readonly source: string;
  /** Name of the administrator, if it was one. */
  readonly by?: string;
  /** Deletes the site permanently instead of keeping it. */
  readonly destroy?: boolean;
}

/**
 * Rows of deleted sites in the servers' recycle bins. Each step is one conditional update, usually in the transaction of the account's
 * step.
 */
@Injectable()
export class KeptSites {
  private readonly entities;
  private readonly dueRows;
  private readonly claim;

  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
    private readonly runs: JobRuns,
  ) {
    this.entities = database.entityRows(BinnedSite);
    this.dueRows = database.statement(
      `SELECT ${this.entities.columns} FROM {BinnedSite} WHERE {BinnedSite.purgeAfter} <= ? AND {BinnedSite.id} > ?
       AND ({BinnedSite.state} = 'purging' OR {BinnedSite.state} = 'kept'
        AND ({BinnedSite.purgeAfter} <= ? OR {BinnedSite.purgeAfter} <= {BinnedSite.deletedAt}))
       ORDER BY {BinnedSite.id} LIMIT ?`,
    );
    this.claim = database.statement(
      `UPDATE {BinnedSite} SET {BinnedSite.state} = 'purging', {BinnedSite.claimedUntil} = ?,
       {BinnedSite.purgeAfter} = CASE WHEN {BinnedSite.purgeAfter} > ? THEN ? ELSE {BinnedSite.purgeAfter} END
       WHERE {BinnedSite.id} = ? AND ({BinnedSite.state} = 'kept' OR {BinnedSite.state} = 'purging' AND {BinnedSite.claimedUntil} <= ?)`,
    );
  }

  private get rows() {
    return this.database.repository(BinnedSite);
  }

  find(id: number): Promise<BinnedSite | null> {
    return this.rows.findOneBy({ id });
  }

  /** The row of a deleted account, in any state. */
  ofSite(siteName: string): Promise<BinnedSite | null> {
    return this.rows.findOneBy({ siteName });
  }

  /** The deleted site that is being restored to an account under creation. */
  restoredBy(accountId: number): Promise<BinnedSite | null> {
    return this.rows.findOneBy({ restoreTo: accountId });
  }

  /** Inserts the row of an account whose deletion begins, in the caller's transaction. */
  async begin(account: HostingAccount, deletion: Deletion): Promise<void> {
    await this.rows.insert(this.rowOf(account, deletion, 'moving'));
  }

  /**
   * Marks the site as kept once the account is deleted, in the caller's transaction. A deletion that began before the recycle bin existed
   * has no row yet.
   */
  async finish(account: HostingAccount, source: string): Promise<void> {
    const { affected } = await this.rows.update({ siteName: account.siteName, state: 'moving' }, { state: 'kept' });
    if (affected === 0) await this.rows.insert(this.rowOf(account, { source }, 'kept'));
  }

  /** Removes the row: the account was not deleted after all, or had no site. */
  async drop(account: HostingAccount): Promise<void> {
    await this.rows.delete({ siteName: account.siteName, state: 'moving' });
  }

  /** Reserves a site for an account under creation, in the caller's transaction. @throws HostingError BIN_GONE, BIN_BUSY */
  async take(id: number, accountId: number): Promise<void> {
    const { affected } = await this.rows.update({ id, state: 'kept' }, { state: 'restoring', restoreTo: accountId });
    if (affected === 0) throw new HostingError((await this.rows.existsBy({ id })) ? 'BIN_BUSY' : 'BIN_GONE');
  }

  /** Returns the site to the recycle bin because the account could not be created. */
  async giveBack(accountId: number): Promise<void> {
    await this.rows.update({ restoreTo: accountId, state: 'restoring' }, { state: 'kept', restoreTo: null });
  }

  /** Removes the restored site from the recycle bin and assigns its backups to the new account. In the caller's transaction. */
  async leave(accountId: number): Promise<void> {
    const kept = await this.restoredBy(accountId);
    if (kept) await this.database.repository(SiteBackup).update({ hostId: kept.hostId }, { hostId: accountId });
    await this.rows.delete({ restoreTo: accountId, state: 'restoring' });
  }

  /**
   * Lists sites to purge, by id: expired ones, those not to be kept, and those whose purge has begun. Expired means that the end was over
   * at a run of the job about a day ago: a wrong clock must not destroy anything before somebody can notice it.
   *
   * @param job the calling job
   */
  async due(job: string, limit: number, last: number): Promise<BinnedSite[]> {
    const now = this.clock.now();
    const witnessed = (await this.runs.witnessed(job, now)) ?? new Date(0);
    return (await this.dueRows.all(now, last, witnessed, limit)).map((row) => this.entities.read(row));
  }

  /**
   * Begins to purge a site, or takes over from a crashed process.
   *
   * @param forMs how long the caller may take
   * @returns whether the caller has to do it
   */
  async claimPurge(id: number, forMs: number): Promise<boolean> {
    const now = this.clock.now();
    const claimedUntil = new Date(now.getTime() + forMs);
    return (await this.claim.run(claimedUntil, now, now, id, now)).affected > 0;
  }

  /** Ends the claim, so that the next run continues. */
  async releasePurge(id: number): Promise<void> {
    await this.rows.update({ id, state: 'purging' }, { claimedUntil: this.clock.now() });
  }

  /** Deletes the row after the files are gone. */
  async purged(row: BinnedSite): Promise<void> {
    await this.rows.delete({ id: row.id, state: 'purging' });
  }

  private rowOf(account: HostingAccount, { source, by, destroy }: Deletion, state: 'moving' | 'kept') {
    const now = this.clock.now();
    return {
      hostId: account.id,
      username: account.username,
      userKey: account.userKey,
      nodeCode: account.nodeCode,
      siteName: account.siteName,
      siteId: account.siteId,
      expiresOn: account.expiresOn,
      ownGraceDays: account.ownGraceDays,
      keepDays: account.keepDays,
      pauseReasons: account.pauseReasons,
      webQuotaMb: account.webQuotaMb,
      databaseQuotaMb: account.databaseQuotaMb,
      trafficQuotaGb: account.trafficQuotaGb,
      domainQuota: account.domainQuota,
      monitorQuota: account.monitorQuota,
      backupQuota: account.backupQuota,
      backupSchedule: account.backupSchedule,
      webUsedBytes: account.webUsedBytes,
      email: account.email,
      openedBy: account.openedBy,
      requestId: account.requestId,
      ownerId: account.ownerId,
      openedAt: account.createdAt,
      deletedBy: source,
      deletedName: (by ?? '').slice(0, 100),
      deletedAt: now,
      purgeAfter: new Date(now.getTime() + (destroy ? 0 : this.settings.current.binDays * DAY_MS)),
      state,
    };
  }
}
