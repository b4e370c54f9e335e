import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not } from 'typeorm';

import { Clock, packWords, type Words } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';

import { Backup, BackupSetting } from './entities/index.js';
import { BackupError } from './errors.js';

/** How long a backup is taken to be under way without a word of its process, in milliseconds. */
const LEASE_MS = 30_000;
/** Clocks of several servers differ by seconds. */
const SKEW_MS = 5_000;
/** The one row of the settings. */
const ONLY = 1;
const RUNNING = 'backup';

/** How far a backup is. */
export type BackupProgress = Pick<Backup, 'rows' | 'files' | 'size'>;

/** The rows of backups and of their settings: who may begin one, how far it is, how it ended. */
@Injectable()
export class BackupRecords {
  private readonly make;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.make = database.statement(
      `${database.insertIgnore} {BackupSetting} ({BackupSetting.id}, {BackupSetting.dailyAt}, {BackupSetting.keep}) VALUES (?, '', 7)`,
    );
  }

  /** When backups are made and for whom; the defaults before anybody said so. */
  async setting(): Promise<BackupSetting> {
    const rows = this.database.repository(BackupSetting);
    return (await rows.findOneBy({ id: ONLY })) ?? rows.create({ id: ONLY, recipient: null, dailyAt: '', keep: 7 });
  }

  /** Changes the settings. @param check refuses by throwing, where nobody else can change them any more */
  async change(changes: Partial<Omit<BackupSetting, 'id'>>, check?: (present: BackupSetting) => void): Promise<void> {
    const rows = this.database.repository(BackupSetting);
    await this.database.transaction(async () => {
      await this.make.run(ONLY);
      await this.database.lockRow('BackupSetting', 'id', ONLY);
      const present = await rows.findOneByOrFail({ id: ONLY });
      check?.(present);
      await rows.update({ id: ONLY }, changes);
      this.database.noteChange({ of: 'backups', secret: ['recipient'] }, present, changes);
    });
  }

  /** Begins a backup. @throws BackupError `RUNNING` while another one is being made, in whichever process */
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

  /** Says how far one is. @returns false where it was taken for dead meanwhile: it is to stop */
  async renew(id: number, progress: BackupProgress): Promise<boolean> {
    const { affected } = await this.database
      .repository(Backup)
      .update({ id, running: RUNNING }, { ...progress, leaseUntil: this.leaseFrom(this.clock.now()) });
    return affected === 1;
  }

  /** Writes down how one ended. @returns false where it was taken for dead meanwhile */
  async end(id: number, outcome: BackupProgress | { readonly error: Words }): Promise<boolean> {
    const failed = 'error' in outcome;
    const values = failed ? { state: 'failed' as const, error: packWords(outcome.error, 500) } : { state: 'done' as const, ...outcome };
    const { affected } = await this.database
      .repository(Backup)
      .update({ id, running: RUNNING }, { ...values, running: null, endedAt: this.clock.now() });
    return affected === 1;
  }

  /** Ends those whose process is gone. @returns them, for what they left on the disk */
  async endDead(): Promise<Backup[]> {
    const rows = this.database.repository(Backup);
    const before = new Date(this.clock.now().getTime() - SKEW_MS);
    const dead = await rows.findBy({ running: Not(IsNull()), leaseUntil: LessThan(before) });
    const ended: Backup[] = [];
    for (const { id } of dead) if (await this.end(id, { error: { key: 'backup.interrupted' } })) ended.push(await this.find(id));
    return ended;
  }

  /** @throws BackupError `MISSING` */
  async find(id: number): Promise<Backup> {
    const row = await this.database.repository(Backup).findOneBy({ id });
    if (!row) throw new BackupError('MISSING');
    return row;
  }

  /** The newest first. */
  list(skip: number, take: number): Promise<[Backup[], number]> {
    return this.database.repository(Backup).findAndCount({ order: { id: 'DESC' }, skip, take });
  }

  /** The one that is being made, if there is one. */
  running(): Promise<Backup | null> {
    return this.database.repository(Backup).findOneBy({ running: RUNNING });
  }

  /** The newest one of the schedule, however it ended. */
  lastScheduled(): Promise<Backup | null> {
    return this.database.repository(Backup).findOne({ where: { cause: 'schedule' }, order: { id: 'DESC' } });
  }

  /** Those beyond the newest `keep` of an outcome, at most 50 at once. */
  surplus(state: 'done' | 'failed', keep: number): Promise<Backup[]> {
    return this.database.repository(Backup).find({ where: { state }, order: { id: 'DESC' }, skip: keep, take: 50 });
  }

  /** Forgets one that is not being made. @returns whether it was there */
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
