import { Injectable } from '@nestjs/common';

import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AgentError } from '../agent-error.js';
import { FileQuarantine, QuarantineList } from '../scans/index.js';
import { translateProblem } from '../tasks/index.js';

import { QuarantineInput, ShortListInput } from './node-inputs.js';

/** Administrators' operations on quarantined files. Source: docs/panel-api.md "Quarantine". */
@Injectable()
export class QuarantineOperations {
  constructor(
    private readonly files: QuarantineList,
    private readonly quarantine: FileQuarantine,
  ) {}

  @Operation({ side: 'admin', gn: 'listwjgl', auth: 'admin', input: ShortListInput, audit: null, rate: 'read' })
  async list(input: ShortListInput, { locale }: CallContext): Promise<ListReply> {
    const { total, rows } = await this.files.page(input);
    return new ListReply(
      total,
      rows.map((row) => ({ ...row, error: translateProblem(locale, row.error) })),
    );
  }

  /** Quarantines the file of a match. @throws AgentError MATCH_MISSING, QUARANTINE_UNABLE, QUARANTINE_STATE */
  @Operation({ side: 'admin', gn: 'wjgl', auth: 'admin', input: QuarantineInput, audit: 'node.audit_quarantine', rate: 'write' })
  async take({ id }: QuarantineInput): Promise<SuccessReply> {
    const file = await this.files.ofMatch(id);
    if (!file) throw new AgentError('MATCH_MISSING');
    if (!(await this.quarantine.take(file, 'admin'))) throw new AgentError('QUARANTINE_STATE');
    return new SuccessReply('node.quarantine_sent', {}, { path: file.path });
  }

  /** Restores a file. @throws AgentError QUARANTINE_MISSING, QUARANTINE_UNABLE, QUARANTINE_STATE */
  @Operation({ side: 'admin', gn: 'wjglhf', auth: 'admin', input: QuarantineInput, audit: 'node.audit_quarantine_restore', rate: 'write' })
  async restore({ id }: QuarantineInput): Promise<SuccessReply> {
    const { path } = await this.quarantine.restore(id);
    return new SuccessReply('node.quarantine_restore_sent', {}, { path });
  }

  /** Deletes a file permanently. @throws AgentError QUARANTINE_MISSING, QUARANTINE_UNABLE, QUARANTINE_STATE */
  @Operation({
    side: 'admin',
    gn: 'wjglsc',
    auth: 'admin',
    input: QuarantineInput,
    audit: 'node.audit_quarantine_delete',
    rate: 'write',
    secondProof: true,
  })
  async delete({ id }: QuarantineInput): Promise<SuccessReply> {
    const { path } = await this.quarantine.remove(id);
    return new SuccessReply('node.quarantine_delete_sent', {}, { path });
  }
}
