import { Injectable } from '@nestjs/common';
import { IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { legacyTime, type Locale, localeOf, sayWords, unpackWords } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { checkVersion, type FormValues, nextVersion, VersionField } from '../http/index.js';
import { Quiet } from '../jobs/index.js';
import {
  ListInput,
  ListReply,
  NoInput,
  Operation,
  OperationError,
  PresentPassword,
  RowId,
  SuccessReply,
  Trimmed,
  WholeNumber,
} from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { newRecoveryKeys } from './archive/recovery-key.js';
import { inMb } from './backup-comparison.js';
import { BackupMaker } from './backup-maker.js';
import { BackupRecords } from './backup-records.js';
import { BackupSchedule } from './backup-schedule.js';
import type { Backup, BackupSetting } from './entities/index.js';
import { BackupError } from './errors.js';

/** Refers to a backup by id. */
export class BackupInput {
  @RowId() id!: number;
}

/** Schedule and retention of backups. */
export class BackupSettingInput {
  /** `HH:MM`; empty: only manually. */
  @IsString() @Trimmed() @Matches(/^(([01]\d|2[0-3]):[0-5]\d)?$/, { message: 'backup.field.time' }) sj!: string;
  /** Number of backups to keep. */
  @WholeNumber()
  @IsInt({ message: 'backup.field.keep' })
  @Min(1, { message: 'backup.field.keep' })
  @Max(365, { message: 'backup.field.keep' })
  bl!: number;
  @VersionField() row_version?: string;
}

/** Values of the settings form, by field name. */
export const backupForm = ({ dailyAt, keep }: Pick<BackupSetting, 'dailyAt' | 'keep'>): FormValues => ({ sj: dailyAt, bl: keep });

/** Request for a new recovery key. */
export class RecoveryKeyInput {
  /** The administrator's current password, because future backups can be opened only with the new key. */
  @IsString() @MaxLength(256) ypass!: string;
}

/** A backup in a response; all values are text. */
interface BackupLine {
  id: string;
  mc: string;
  /** `running`, `done` or `failed`. */
  zt: string;
  /** `schedule`, `hand` or `terminal`. */
  fs: string;
  date: string;
  /** Duration in seconds; empty while running. */
  hs: string;
  /** Numbers of rows and files. */
  hang: string;
  wj: string;
  /** In MB. */
  dx: string;
  cw: string;
}

/** Backups of the whole installation. Source: docs/panel-api.md "Backups". */
@Injectable()
export class BackupOperations {
  constructor(
    private readonly records: BackupRecords,
    private readonly maker: BackupMaker,
    private readonly schedule: BackupSchedule,
    private readonly password: PresentPassword,
    private readonly config: AppConfig,
    private readonly quiet: Quiet,
  ) {}

  @Operation({ side: 'admin', gn: 'bflist', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply<BackupLine>> {
    const [rows, total] = await this.records.list((page - 1) * limit, limit);
    return new ListReply(
      total,
      rows.map((row) => this.lineOf(row, localeOf(ctx.locale))),
    );
  }

  /** Starts a backup now; the list shows its progress. @throws BackupError `NO_KEY`, `HELD` */
  @Operation({ side: 'admin', gn: 'bfadd', auth: 'admin', input: NoInput, audit: 'backup.audit.made', rate: 'expensive' })
  async add(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    if (this.quiet.active) throw new BackupError('HELD');
    await this.maker.clearCrashed();
    return new SuccessReply('backup.ordered', { task_id: await this.schedule.order('hand', ctx.admin!.username) });
  }

  /** Returns the download URL of a backup. @throws BackupError `MISSING`, `UNFINISHED`, `FILE_GONE` */
  @Operation({ side: 'admin', gn: 'bfxz', auth: 'admin', input: BackupInput, audit: 'backup.audit.fetched', rate: 'expensive' })
  async fetch({ id }: BackupInput): Promise<SuccessReply> {
    const backup = await this.records.find(id);
    if (backup.state !== 'done') throw new BackupError('UNFINISHED');
    const { content, size } = await this.maker.storageFor(backup).read(backup.name);
    content.destroy();
    return new SuccessReply('backup.fetch', { url: `/admin/backups/file?id=${id}`, name: backup.name, size }, { name: backup.name });
  }

  /** @throws BackupError `MISSING`, `UNFINISHED` */
  @Operation({ side: 'admin', gn: 'bfsc', auth: 'admin', input: BackupInput, audit: 'backup.audit.removed', rate: 'write' })
  async remove({ id }: BackupInput): Promise<SuccessReply> {
    const backup = await this.records.find(id);
    await this.maker.remove(backup);
    return new SuccessReply('backup.removed', {}, { name: backup.name });
  }

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'bfsz', auth: 'admin', input: BackupSettingInput, audit: 'backup.audit.settings', rate: 'write' })
  async set({ sj, bl, row_version }: BackupSettingInput): Promise<SuccessReply> {
    if (sj !== '' && !(await this.records.setting()).recipient) throw new BackupError('NO_KEY');
    const values = { dailyAt: sj, keep: bl };
    await this.records.change(values, (present) => checkVersion(row_version, backupForm(present)));
    return new SuccessReply('backup.saved', nextVersion(row_version, backupForm(values)), { time: sj || '-', keep: bl });
  }

  /** Generates a new recovery key, which is only contained in this response. */
  @Operation({
    side: 'admin',
    gn: 'bfmy',
    auth: 'admin',
    input: RecoveryKeyInput,
    audit: 'backup.audit.key',
    rate: 'write',
    secondProof: true,
  })
  async renewKey({ ypass }: RecoveryKeyInput, ctx: CallContext): Promise<SuccessReply> {
    if (!(await this.password.isRight('admin', ctx.admin!, ypass)))
      throw new OperationError('INVALID_INPUT', { field: 'ypass' }, { ypass: 'backup.password_wrong' });
    const { recoveryKey, recipient } = await newRecoveryKeys();
    await this.records.change({ recipient });
    return new SuccessReply('backup.key_made', { hfmy: recoveryKey });
  }

  private lineOf(row: Backup, locale: Locale): BackupLine {
    return {
      id: String(row.id),
      mc: row.name,
      zt: row.state,
      fs: row.cause,
      date: legacyTime(row.startedAt, this.config.timezone),
      hs: row.endedAt ? String(Math.ceil((row.endedAt.getTime() - row.startedAt.getTime()) / 1_000)) : '',
      hang: String(row.rows),
      wj: String(row.files),
      dx: inMb(row.size),
      cw: row.error === null ? '' : sayWords(locale, unpackWords(row.error)),
    };
  }
}
