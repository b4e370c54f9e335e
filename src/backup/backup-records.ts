import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not } from 'typeorm';

import { Clock, packWords, type Words } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';

import { Backup, BackupSetting } from './entities/index.js';
import { BackupError } from './errors.js';

/** Lease of a running backup, in milliseconds; without renewal its process is considered crashed. */
const LEASE_MS = 30_000;
/** Tolerance for clock differences between servers, in milliseconds. */
const SKEW_MS = 5_000;
/** Id of the only settings row. */
const SETTINGS_ID = 1;
const RUNNING = 'backup';

/** Progress of a backup. */
export type BackupProgress = Pick<Backup, 'rows' | 'files' | 'size'>;

/** Rows of backups and their settings: exclusive start, progress, outcome. */
@Injectable()
export class BackupRecords {
  private readonly createSetting;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.createSetting = database.statement(
      `${database.insertIgnore} {BackupSetting} ({BackupSetting.id}, {BackupSetting.dailyAt}, {BackupSetting.keep}) VALUES (?, '', 7)`,
    );
  }

  /** Returns the settings, or the defaults if none are stored. */
  async setting(): Promise<BackupSetting> {
    const rows = this.database.repository(BackupSetting);
    return (await rows.findOneBy({ id: SETTINGS_ID })) ?? rows.create({ id: SETTINGS_ID, recipient: null, dailyAt: '', keep: 7 });
  }

  /** Changes the settings. @param check called under the row lock; throws to reject the change */
  async change(changes: Partial<Omit<BackupSetting, 'id'>>, check?: (present: BackupSetting) => void): Promise<void> {
    const rows = this.database.repository(BackupSetting);
    await this.database.transaction(async () => {
      await this.createSetting.run(SETTINGS_ID);
      await this.database.lockRow('BackupSetting', 'id', SETTINGS_ID);
      const present = await rows.findOneByOrFail({ id: SETTINGS_ID });
      check?.(present);
      await rows.update({ id: SETTINGS_ID }, changes);
      this.database.noteChange({ of: 'backups', secret: ['recipient'] }, present, changes);
    });
  }

  /** Starts a backup. @throws BackupError `RUNNING` while any process is making another one */
  async begin(start: Pick<Backup, 'name' | 'place' | 'cause'>): Promise<Backup> {
    const now = this.clock.now();
    const row = { ...start, state: 'running' as const, running: RUNNING, startedAt: now, leaseUntil: this.leaseFrom(now) };
    try {
      const { identifiers } = await this.database.repository(Backup).insert(row);
      return await this.find(identifiers[0]!.id as number);
    } catch (error) {
      throw isUniqueViolation(error) ? new BackupError('RUNNING') : error;
    }
  }

  /** Stores the progress and renews the lease. @returns false if the backup was considered crashed meanwhile and must stop */
  async renew(id: number, progress: BackupProgress): Promise<boolean> {
    const { affected } = await this.database
      .repository(Backup)
      .update({ id, running: RUNNING }, { ...progress, leaseUntil: this.leaseFrom(this.clock.now()) });
    return affected === 1;
  }

  /** Stores the outcome. @returns false if the backup was considered crashed meanwhile */
  async end(id: number, outcome: BackupProgress | { readonly error: Words }): Promise<boolean> {
    const failed = 'error' in outcome;
    const values = failed ? { state: 'failed' as const, error: packWords(outcome.error, 500) } : { state: 'done' as const, ...outcome };
    const { affected } = await this.database
      .repository(Backup)
      .update({ id, running: RUNNING }, { ...values, running: null, endedAt: this.clock.now() });
    return affected === 1;
  }

  /** Marks backups of crashed processes as failed. @returns them, for the cleanup of their files */
  async endCrashed(): Promise<Backup[]> {
    const rows = this.database.repository(Backup);
    const before = new Date(this.clock.now().getTime() - SKEW_MS);
    const crashed = await rows.findBy({ running: Not(IsNull()), leaseUntil: LessThan(before) });
    const ended: Backup[] = [];
    for (const { id } of crashed) if (await this.end(id, { error: { key: 'backup.interrupted' } })) ended.push(await this.find(id));
    return ended;
  }

  /** @throws BackupError `MISSING` */
  async find(id: number): Promise<Backup> {
    const row = await this.database.repository(Backup).findOneBy({ id });
    if (!row) throw new BackupError('MISSING');
    return row;
  }

  /** Returns a page of backups, newest first. */
  list(skip: number, take: number): Promise<[Backup[], number]> {
    return this.database.repository(Backup).findAndCount({ order: { id: 'DESC' }, skip, take });
  }

  /** Returns the running backup, if any. */
  running(): Promise<Backup | null> {
    return this.database.repository(Backup).findOneBy({ running: RUNNING });
  }

  /** Returns the newest scheduled backup, whatever its outcome. */
  lastScheduled(): Promise<Backup | null> {
    return this.database.repository(Backup).findOne({ where: { cause: 'schedule' }, order: { id: 'DESC' } });
  }

  /** Returns those beyond the newest `keep` of a state, at most 50 at a time. */
  surplus(state: 'done' | 'failed', keep: number): Promise<Backup[]> {
    return this.database.repository(Backup).find({ where: { state }, order: { id: 'DESC' }, skip: keep, take: 50 });
  }

  /** Removes the row of a backup that is not running. @returns whether it existed */
  async remove(id: number): Promise<boolean> {
    const rows = this.database.repository(Backup);
    return this.database.transaction(async () => {
      const present = await rows.findOneBy({ id });
      const { affected } = await rows.delete({ id, state: In(['done', 'failed']) });
      if (present && affected === 1) this.database.noteChange({ of: 'backup', id, only: ['name', 'place', 'startedAt'] }, present, null);
      return affected === 1;
    });
  }

  private leaseFrom(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }
}
