import { Injectable } from '@nestjs/common';

import { Quiet } from '../jobs/index.js';
import { NoInput, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { BackupError } from './errors.js';

/** Releases a restored installation. Source: docs/panel-api.md "Backups". */
@Injectable()
export class RestoredOperations {
  constructor(private readonly quiet: Quiet) {}

  /** Resumes all automatic work in every process. @throws BackupError `NOT_HELD` */
  @Operation({ side: 'admin', gn: 'bffx', auth: 'admin', input: NoInput, audit: 'backup.audit.released', rate: 'write' })
  async release(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    if (!(await this.quiet.release(ctx.admin!.username))) throw new BackupError('NOT_HELD');
    return new SuccessReply('backup.released');
  }
}
