import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { Between, In, IsNull, LessThan, Not } from 'typeorm';

import { Clock, packWords, type Words } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import type { MadeBackup } from '../driver/index.js';
import { type HostingAccount, SiteBackup, type SiteBackupKind } from '../entities/index.js';

import { SiteBackupError } from './backup-errors.js';

/** Number of failed backups kept for reference. */
const FAILED_KEPT = 3;
/** Rows read at a time by a job. */
const BATCH = 200;

/** The rows of backups of sites. Every decision that could race is one conditional update. */
@Injectable()
export class SiteBackupRecords {
  private readonly orphans;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.orphans = database.statement<{ id: number }>(
      `SELECT backup.{SiteBackup.id} AS id FROM {SiteBackup} backup WHERE backup.{SiteBackup.id} > ?
        AND backup.{SiteBackup.state} <> 'removing'
       AND NOT EXISTS (SELECT 1 FROM {HostingAccount} host WHERE host.{HostingAccount.id} = backup.{SiteBackup.hostId})
       AND NOT EXISTS (SELECT 1 FROM {BinnedSite} kept WHERE kept.{BinnedSite.hostId} = backup.{SiteBackup.hostId})
       ORDER BY backup.{SiteBackup.id} LIMIT ${BATCH}`,
    );
  }

  private get rows() {
    return this.database.repository(SiteBackup);
  }

  /** @throws SiteBackupError MISSING, also for a backup of another account */
  async find(hostId: number, id: number): Promise<SiteBackup> {
    const row = await this.rows.findOneBy({ id, hostId, state: Not('removing') });
    if (!row) throw new SiteBackupError('MISSING');
    return row;
  }

  /** Returns a backup by id, for queued work; null if it is gone. */
  byId(id: number): Promise<SiteBackup | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns which of the backups are complete. */
  async whole(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.rows.find({ select: { id: true }, where: { id: In([...ids]), state: 'done' } });
    return new Set(rows.map(({ id }) => id));
  }

  /** Lists backups, the newest first. */
  list(hostId: number, skip: number, take: number): Promise<[SiteBackup[], number]> {
    return this.rows.findAndCount({ where: { hostId, state: Not('removing') }, order: { id: 'DESC' }, skip, take });
  }

  /** Returns the backup being made or restored for a host; null if there is none. */
  underWay(hostId: number): Promise<SiteBackup | null> {
    return this.rows.findOneBy({ busy: hostId });
  }

  /** Counts the restorable backups of the given kinds. */
  count(hostId: number, kinds: readonly SiteBackupKind[]): Promise<number> {
    return this.rows.countBy({ hostId, kind: In([...kinds]), state: In(['done', 'restoring']) });
  }

  /**
   * Inserts a new backup; joins the caller's transaction, if any.
   *
   * @param alone whether it excludes other operations on the site's backups
   * @throws SiteBackupError BUSY
   */
  async begin(
    account: Pick<HostingAccount, 'id' | 'nodeCode' | 'siteName'>,
    { kind, place, by, taskId = null }: Pick<SiteBackup, 'kind' | 'place' | 'by'> & { readonly taskId?: string | null },
    alone: boolean,
  ): Promise<SiteBackup> {
    const madeAt = this.clock.now();
    const moment = madeAt.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
    const row = this.rows.create({
      hostId: account.id,
      nodeCode: account.nodeCode,
      siteName: account.siteName,
      // The random part keeps names unique within a second, and makes them unguessable in a bucket.
      name: `${account.siteName}-${moment}-${randomBytes(8).toString('hex')}.tar.gz`,
      place,
      kind,
      state: 'making',
      busy: alone ? account.id : null,
      taskId,
      by: by.slice(0, 100),
      madeAt,
      changedPaths: '',
      error: null,
    });
    await this.rows.insert(row).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new SiteBackupError('BUSY') : error;
    });
    return this.rows.findOneByOrFail({ name: row.name });
  }

  /** Starts a restore, in the caller's transaction. @throws SiteBackupError BUSY, UNFINISHED, MISSING */
  async beginRestore(hostId: number, id: number): Promise<SiteBackup> {
    const { affected } = await this.rows
      .update({ id, hostId, state: 'done', busy: IsNull() }, { state: 'restoring', busy: hostId, error: null })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new SiteBackupError('BUSY') : error;
      });
    if (affected === 0) throw new SiteBackupError((await this.find(hostId, id)).state === 'restoring' ? 'BUSY' : 'UNFINISHED');
    return this.rows.findOneByOrFail({ id });
  }

  /** Stores the task that works on a backup. */
  async assign(id: number, taskId: string): Promise<void> {
    await this.rows.update({ id }, { taskId });
  }

  /** Returns the complete or unfinished safety copy of a task. */
  safetyOf(hostId: number, taskId: string): Promise<SiteBackup | null> {
    return this.rows.findOneBy({ hostId, kind: 'safety', taskId, state: In(['making', 'done']) });
  }

  /**
   * Records which archive of a backup is being sent in parts.
   *
   * @returns whether an earlier attempt recorded the same one
   * @throws SiteBackupError MISSING if the backup was cancelled
   */
  async sends(id: number, sha256: string): Promise<boolean> {
    if (await this.rows.existsBy({ id, state: 'making', sha256 })) return true;
    const { affected } = await this.rows.update({ id, state: 'making' }, { sha256 });
    if (affected === 0) throw new SiteBackupError('MISSING');
    return false;
  }

  /** Marks a backup as complete. @returns false if it was removed in the meantime */
  async done(id: number, made: MadeBackup): Promise<boolean> {
    const { size, sha256, content, files, left, changed, changedPaths } = made;
    const values = { size, sha256, content, files, left, changed, changedPaths: changedPaths.join('\n') };
    const { affected } = await this.rows.update({ id, state: 'making' }, { ...values, state: 'done', busy: null, error: null });
    return affected === 1;
  }

  /** Reserves a complete backup, which prevents restore and removal until {@link letGo}. @returns false if another operation is running */
  async hold({ id, hostId }: Pick<SiteBackup, 'id' | 'hostId'>): Promise<boolean> {
    try {
      await this.rows.update({ id, state: 'done', busy: IsNull() }, { busy: hostId });
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    return this.rows.existsBy({ id, state: 'done', busy: hostId });
  }

  /** Ends the reservation of {@link hold}. */
  async letGo(hostId: number): Promise<void> {
    await this.rows.update({ state: 'done', busy: hostId }, { busy: null });
  }

  /** Marks a restore as complete. */
  async restored(id: number): Promise<void> {
    await this.rows.update({ id, state: 'restoring' }, { state: 'done', busy: null, restoredAt: this.clock.now(), error: null });
  }

  /** Stores why an operation failed; a backup that was to be restored stays complete. @returns whether the operation was running */
  async failed({ id }: Pick<SiteBackup, 'id'>, words: Words): Promise<boolean> {
    const error = packWords(words, 500);
    const made = await this.rows.update({ id, state: 'making' }, { state: 'failed', busy: null, error });
    if (made.affected === 1) return true;
    const put = await this.rows.update({ id, state: 'restoring' }, { state: 'done', busy: null, error });
    return put.affected === 1;
  }

  /** Starts the removal. @returns false if the backup is being made or restored, or is gone */
  async beginRemoval(id: number): Promise<boolean> {
    const present = await this.rows.findOneBy({ id });
    const { affected } = await this.rows.update({ id, state: In(['done', 'failed']), busy: IsNull() }, { state: 'removing' });
    if (present && affected === 1)
      this.database.noteChange({ of: 'site-backup', id, only: ['name', 'place', 'madeAt', 'kind'] }, present, null);
    return affected === 1;
  }

  /** Deletes the row after its archive. */
  async removed(id: number): Promise<void> {
    await this.rows.delete({ id, state: 'removing' });
  }

  /** Returns the scheduled backups above the limit, the oldest first. */
  async surplus(hostId: number, limit: number): Promise<SiteBackup[]> {
    const over = (await this.count(hostId, ['manual', 'scheduled'])) - limit;
    if (over <= 0) return [];
    return this.rows.find({ where: { hostId, kind: 'scheduled', state: 'done' }, order: { id: 'ASC' }, take: over });
  }

  /** Returns all safety copies but the newest, and the older failed backups. */
  async outdated(hostId: number): Promise<SiteBackup[]> {
    const [safety, failed] = await Promise.all([
      this.rows.find({ where: { hostId, kind: 'safety', state: 'done' }, order: { id: 'DESC' }, skip: 1, take: BATCH }),
      this.rows.find({ where: { hostId, state: 'failed' }, order: { id: 'DESC' }, skip: FAILED_KEPT, take: BATCH }),
    ]);
    return [...safety, ...failed];
  }

  /** Returns the newest complete backup, if any. */
  last(hostId: number): Promise<SiteBackup | null> {
    return this.rows.findOne({ where: { hostId, state: 'done' }, order: { id: 'DESC' } });
  }

  /** Returns whether a scheduled backup failed between the last complete one and this one. */
  async failedBefore(hostId: number, id: number): Promise<boolean> {
    const whole = await this.rows.findOne({ where: { hostId, state: 'done', id: LessThan(id) }, order: { id: 'DESC' } });
    return this.rows.existsBy({ hostId, kind: 'scheduled', state: 'failed', id: Between(whole?.id ?? 0, id) });
  }

  /** Returns the newest scheduled backup, in any state. */
  lastScheduled(hostId: number): Promise<SiteBackup | null> {
    return this.rows.findOne({ where: { hostId, kind: 'scheduled' }, order: { id: 'DESC' } });
  }

  /** Returns operations started before the given time, whose task may be lost. */
  begun(before: Date): Promise<SiteBackup[]> {
    return this.rows.find({
      where: { state: In(['making', 'restoring']), madeAt: LessThan(before) },
      order: { id: 'ASC' },
      take: BATCH,
    });
  }

  /** Returns backups whose archives are to be removed. */
  removing(after: number): Promise<SiteBackup[]> {
    return this.rows
      .createQueryBuilder('row')
      .where({ state: 'removing' })
      .andWhere('row.id > :after', { after })
      .orderBy('row.id')
      .take(BATCH)
      .getMany();
  }

  /** Returns backups whose archives are to be removed from the disk of a server. */
  removingOn(nodeCode: string): Promise<SiteBackup[]> {
    return this.rows.find({ where: { state: 'removing', nodeCode, place: 'disk' }, order: { id: 'ASC' } });
  }

  /** Returns the backups of a host whose archives are on the disk of a server. */
  onDisk(hostId: number, nodeCode: string, take: number): Promise<SiteBackup[]> {
    return this.rows.find({ where: { hostId, nodeCode, place: 'disk', state: In(['done', 'failed']) }, order: { id: 'ASC' }, take });
  }

  /** Returns whether an archive of this name, or a partial one, belongs to a row. @param whole false: only while it is being made */
  isWanted(name: string, whole: boolean): Promise<boolean> {
    return this.rows.existsBy(whole ? { name } : { name, state: 'making' });
  }

  /** Returns the ids of backups whose site was permanently removed. */
  async ownerless(after: number): Promise<number[]> {
    return (await this.orphans.all(after)).map(({ id }) => id);
  }

  /** Starts the removal of a backup without an owner, regardless of its state. */
  async markOwnerless(id: number): Promise<void> {
    await this.rows.update({ id }, { state: 'removing', busy: null });
  }
}
