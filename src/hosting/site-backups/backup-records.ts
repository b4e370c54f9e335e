import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { Between, In, IsNull, LessThan, Not } from 'typeorm';

import { Clock, packWords, type Words } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import type { MadeBackup } from '../driver/index.js';
import { type HostingAccount, SiteBackup, type SiteBackupKind } from '../entities/index.js';

import { SiteBackupError } from './backup-errors.js';

/** Failed ones that are kept to be read. */
const FAILED_KEPT = 3;
/** Rows one run of a job looks at in one go. */
const BATCH = 200;

/** The rows of backups of sites, in which everything that two could want at once is decided by one conditional change. */
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

  /** @throws SiteBackupError MISSING, for what is another account's too */
  async find(hostId: number, id: number): Promise<SiteBackup> {
    const row = await this.rows.findOneBy({ id, hostId, state: Not('removing') });
    if (!row) throw new SiteBackupError('MISSING');
    return row;
  }

  /** One by its id alone, for work that was ordered; null where it is gone. */
  byId(id: number): Promise<SiteBackup | null> {
    return this.rows.findOneBy({ id });
  }

  /** Which of some are whole. */
  async whole(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.rows.find({ select: { id: true }, where: { id: In([...ids]), state: 'done' } });
    return new Set(rows.map(({ id }) => id));
  }

  /** The newest first. */
  list(hostId: number, skip: number, take: number): Promise<[SiteBackup[], number]> {
    return this.rows.findAndCount({ where: { hostId, state: Not('removing') }, order: { id: 'DESC' }, skip, take });
  }

  /** What is being made or put back for a host; null for nothing. */
  underWay(hostId: number): Promise<SiteBackup | null> {
    return this.rows.findOneBy({ busy: hostId });
  }

  /** How many of these kinds there are that can be put back. */
  count(hostId: number, kinds: readonly SiteBackupKind[]): Promise<number> {
    return this.rows.countBy({ hostId, kind: In([...kinds]), state: In(['done', 'restoring']) });
  }

  /**
   * Writes down a backup that is to be made, in the caller's transaction where there is one.
   *
   * @param alone nothing else may be done with the site's backups meanwhile
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
      // The random end keeps two of one second apart, and a name from being guessed in a bucket.
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

  /** Begins to put one back, in the caller's transaction. @throws SiteBackupError BUSY, UNFINISHED, MISSING */
  async beginRestore(hostId: number, id: number): Promise<SiteBackup> {
    const { affected } = await this.rows
      .update({ id, hostId, state: 'done', busy: IsNull() }, { state: 'restoring', busy: hostId, error: null })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new SiteBackupError('BUSY') : error;
      });
    if (affected === 0) throw new SiteBackupError((await this.find(hostId, id)).state === 'restoring' ? 'BUSY' : 'UNFINISHED');
    return this.rows.findOneByOrFail({ id });
  }

  /** Says which task works on it. */
  async assign(id: number, taskId: string): Promise<void> {
    await this.rows.update({ id }, { taskId });
  }

  /** The safety copy a task has made, or begun to make. */
  safetyOf(hostId: number, taskId: string): Promise<SiteBackup | null> {
    return this.rows.findOneBy({ hostId, kind: 'safety', taskId, state: In(['making', 'done']) });
  }

  /**
   * Writes down which archive of one is being sent in parts.
   *
   * @returns whether it is the one an earlier attempt wrote down
   * @throws SiteBackupError MISSING where nobody wants it any more
   */
  async sends(id: number, sha256: string): Promise<boolean> {
    if (await this.rows.existsBy({ id, state: 'making', sha256 })) return true;
    const { affected } = await this.rows.update({ id, state: 'making' }, { sha256 });
    if (affected === 0) throw new SiteBackupError('MISSING');
    return false;
  }

  /** It is there. @returns false where it was taken away meanwhile */
  async done(id: number, made: MadeBackup): Promise<boolean> {
    const { size, sha256, content, files, left, changed, changedPaths } = made;
    const values = { size, sha256, content, files, left, changed, changedPaths: changedPaths.join('\n') };
    const { affected } = await this.rows.update({ id, state: 'making' }, { ...values, state: 'done', busy: null, error: null });
    return affected === 1;
  }

  /** Keeps a backup that is whole from being put back or taken away until {@link letGo}. @returns false where something else is done */
  async hold({ id, hostId }: Pick<SiteBackup, 'id' | 'hostId'>): Promise<boolean> {
    try {
      await this.rows.update({ id, state: 'done', busy: IsNull() }, { busy: hostId });
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    return this.rows.existsBy({ id, state: 'done', busy: hostId });
  }

  /** Ends what {@link hold} began. */
  async letGo(hostId: number): Promise<void> {
    await this.rows.update({ state: 'done', busy: hostId }, { busy: null });
  }

  /** It is the site's again. */
  async restored(id: number): Promise<void> {
    await this.rows.update({ id, state: 'restoring' }, { state: 'done', busy: null, restoredAt: this.clock.now(), error: null });
  }

  /** Writes down why it came to nothing: one that was to be put back stays what it was. @returns whether it was under way */
  async failed({ id }: Pick<SiteBackup, 'id'>, words: Words): Promise<boolean> {
    const error = packWords(words, 500);
    const made = await this.rows.update({ id, state: 'making' }, { state: 'failed', busy: null, error });
    if (made.affected === 1) return true;
    const put = await this.rows.update({ id, state: 'restoring' }, { state: 'done', busy: null, error });
    return put.affected === 1;
  }

  /** Begins to take one away. @returns false where it is made or put back at this moment, or gone */
  async beginRemoval(id: number): Promise<boolean> {
    const present = await this.rows.findOneBy({ id });
    const { affected } = await this.rows.update({ id, state: In(['done', 'failed']), busy: IsNull() }, { state: 'removing' });
    if (present && affected === 1)
      this.database.noteChange({ of: 'site-backup', id, only: ['name', 'place', 'madeAt', 'kind'] }, present, null);
    return affected === 1;
  }

  /** Its archive is gone. */
  async removed(id: number): Promise<void> {
    await this.rows.delete({ id, state: 'removing' });
  }

  /** Scheduled ones beyond so many of all that count, the oldest first. */
  async surplus(hostId: number, limit: number): Promise<SiteBackup[]> {
    const over = (await this.count(hostId, ['manual', 'scheduled'])) - limit;
    if (over <= 0) return [];
    return this.rows.find({ where: { hostId, kind: 'scheduled', state: 'done' }, order: { id: 'ASC' }, take: over });
  }

  /** Safety copies but the newest, and failed ones nobody reads any more. */
  async outdated(hostId: number): Promise<SiteBackup[]> {
    const [safety, failed] = await Promise.all([
      this.rows.find({ where: { hostId, kind: 'safety', state: 'done' }, order: { id: 'DESC' }, skip: 1, take: BATCH }),
      this.rows.find({ where: { hostId, state: 'failed' }, order: { id: 'DESC' }, skip: FAILED_KEPT, take: BATCH }),
    ]);
    return [...safety, ...failed];
  }

  /** The newest one that is whole, if there is one. */
  last(hostId: number): Promise<SiteBackup | null> {
    return this.rows.findOne({ where: { hostId, state: 'done' }, order: { id: 'DESC' } });
  }

  /** Whether a scheduled one has failed since the last that was whole before this one. */
  async failedBefore(hostId: number, id: number): Promise<boolean> {
    const whole = await this.rows.findOne({ where: { hostId, state: 'done', id: LessThan(id) }, order: { id: 'DESC' } });
    return this.rows.existsBy({ hostId, kind: 'scheduled', state: 'failed', id: Between(whole?.id ?? 0, id) });
  }

  /** The newest one of the schedule, whatever came of it. */
  lastScheduled(hostId: number): Promise<SiteBackup | null> {
    return this.rows.findOne({ where: { hostId, kind: 'scheduled' }, order: { id: 'DESC' } });
  }

  /** Those that were under way a while ago: their task may be gone. */
  begun(before: Date): Promise<SiteBackup[]> {
    return this.rows.find({
      where: { state: In(['making', 'restoring']), madeAt: LessThan(before) },
      order: { id: 'ASC' },
      take: BATCH,
    });
  }

  /** Those whose archives are to go. */
  removing(after: number): Promise<SiteBackup[]> {
    return this.rows
      .createQueryBuilder('row')
      .where({ state: 'removing' })
      .andWhere('row.id > :after', { after })
      .orderBy('row.id')
      .take(BATCH)
      .getMany();
  }

  /** Those whose archives are to go from the disk of one server. */
  removingOn(nodeCode: string): Promise<SiteBackup[]> {
    return this.rows.find({ where: { state: 'removing', nodeCode, place: 'disk' }, order: { id: 'ASC' } });
  }

  /** Those of a host whose archives lie on the disk of a server. */
  onDisk(hostId: number, nodeCode: string, take: number): Promise<SiteBackup[]> {
    return this.rows.find({ where: { hostId, nodeCode, place: 'disk', state: In(['done', 'failed']) }, order: { id: 'ASC' }, take });
  }

  /** Whether an archive of this name, or the beginnings of one, is somebody's. @param whole false: while it is made */
  isWanted(name: string, whole: boolean): Promise<boolean> {
    return this.rows.existsBy(whole ? { name } : { name, state: 'making' });
  }

  /** Ids of those whose site is gone for good. */
  async ownerless(after: number): Promise<number[]> {
    return (await this.orphans.all(after)).map(({ id }) => id);
  }

  /** Begins to take away what nobody owns any more, whatever was being done with it. */
  async disown(id: number): Promise<void> {
    await this.rows.update({ id }, { state: 'removing', busy: null });
  }
}
