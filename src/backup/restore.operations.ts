import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

import { Quiet } from '../jobs/index.js';
import { NoInput, Operation, RowId, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { BackupRecords } from './backup-records.js';
import { BackupError } from './errors.js';
import { RestoreWork } from './restore-work.js';

/** A backup with its recovery key. */
export class OpenedBackupInput {
  @RowId() id!: number;
  /** The recovery key; stored encrypted while the task needs it. */
  @IsString({ message: 'backup.no_recovery_key' }) @MaxLength(4_000, { message: 'backup.no_recovery_key' }) hfmy!: string;
}

/** Checks and restores backups. Source: docs/panel-api.md "Backups". */
@Injectable()
export class RestoreOperations {
  constructor(
    private readonly work: RestoreWork,
    private readonly records: BackupRecords,
    private readonly quiet: Quiet,
  ) {}

  /** Verifies a backup completely, in the background. @throws BackupError `MISSING`, `UNFINISHED`, `RECOVERY_KEY`, `HELD` */
  @Operation({ side: 'admin', gn: 'bfjc', auth: 'admin', input: OpenedBackupInput, audit: 'backup.audit.checked', rate: 'expensive' })
  async check({ id, hfmy }: OpenedBackupInput, ctx: CallContext): Promise<SuccessReply> {
    const { name } = await this.named(id);
    return new SuccessReply('backup.check_ordered', { task_id: await this.work.orderCheck(id, hfmy, ctx.admin!.username) }, { name });
  }

  /** Prepares a restore, which is carried out at the next start. @throws BackupError as {@link check}, `RESTORE_READY`, `NO_KEY` */
  @Operation({
    side: 'admin',
    gn: 'bfhf',
    auth: 'admin',
    input: OpenedBackupInput,
    audit: 'backup.audit.restore',
    rate: 'expensive',
    secondProof: true,
  })
  async restore({ id, hfmy }: OpenedBackupInput, ctx: CallContext): Promise<SuccessReply> {
    const { name } = await this.named(id);
    return new SuccessReply('backup.restore_ordered', { task_id: await this.work.orderRestore(id, hfmy, ctx.admin!.username) }, { name });
  }

  /** Cancels a prepared restore. @throws BackupError `RESTORE_NONE` */
  @Operation({ side: 'admin', gn: 'bfhfqx', auth: 'admin', input: NoInput, audit: 'backup.audit.restore_cancelled', rate: 'write' })
  async cancel(): Promise<SuccessReply> {
    if (!(await this.work.cancel())) throw new BackupError('RESTORE_NONE');
    return new SuccessReply('backup.restore_cancelled');
  }

  private async named(id: number): Promise<{ name: string }> {
    if (this.quiet.active) throw new BackupError('HELD');
    return this.records.find(id);
  }
}
