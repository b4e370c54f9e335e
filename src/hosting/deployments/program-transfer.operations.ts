import { Injectable } from '@nestjs/common';

import { localeOf, sayWords, translate } from '../../common/index.js';
import { Operation, RawReply, readIdList } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';

import { DeployError } from './deploy-errors.js';
import { ProgramArchives } from './program-archives.js';
import { ExportProgramsInput, ImportPieceInput } from './program-inputs.js';
import { ProgramTransfer } from './program-transfer.js';
import { refusal } from './program.operations.js';

/** Transfers programs between panels. Source: docs/panel-api.md "Programs". */
@Injectable()
export class ProgramTransferOperations {
  constructor(
    private readonly archives: ProgramArchives,
    private readonly transfer: ProgramTransfer,
  ) {}

  /** Returns the URL at which programs can be downloaded as one ZIP file. */
  @Operation({ side: 'admin', gn: 'cxdc', auth: 'admin', input: ExportProgramsInput, audit: 'deploy.audit_exported', rate: 'write' })
  export({ id }: ExportProgramsInput, ctx: CallContext): RawReply {
    const { ids } = readIdList(id);
    const url = `/admin/program-export?id=${ids.join(',')}`;
    const msg = translate(localeOf(ctx.locale), 'deploy.exported', { url });
    return new RawReply({ success: true, qk: 1, code: 1, msg, url }, {}, { n: ids.length });
  }

  /** Accepts a chunk of an export from another panel; the last one adds the programs. */
  @Operation({ side: 'admin', gn: 'cxfiledru', auth: 'admin', input: ImportPieceInput, audit: 'deploy.audit_imported', rate: 'write' })
  async import({ fesw, zsize, sxj }: ImportPieceInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    const [file] = ctx.files;
    try {
      const taken = await this.archives.piece(`import${ctx.admin!.id}s${zsize}`, fesw, zsize, file?.buffer ?? Buffer.alloc(0));
      if (typeof taken === 'number') return new RawReply({ success: true, qk: 1, error: 0, size: taken }, {}, { name: '-' });
      const { added, refused } = await this.transfer.unpack(taken, sxj);
      const left = refused.map(({ name, why }) => `${name}: ${sayWords(locale, why)}`);
      const msg = [translate(locale, 'deploy.imported', { n: added.length }), ...left].join('\n');
      return new RawReply(
        { success: true, qk: 1, error: 1, size: 1, msg, code: msg, n: added.length, left },
        {},
        { name: added.join(', ') || '-' },
      );
    } catch (error) {
      if (!(error instanceof DeployError)) throw error;
      return new RawReply({ ...refusal(error, ctx), error: 1, size: 4 });
    }
  }
}
