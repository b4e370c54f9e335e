import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { auditLine, AuditLog, lineOfCall, Operation, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { UploadTarget } from '../driver/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { hostOf, type MaybeHost, siteOf } from './caller.js';
import { onHost, onOwn } from './declared.js';
import { FileError } from './file-errors.js';
import { ofHost, UploadInput, UploadPieceInput } from './file-inputs.js';
import { pathIn } from './file-names.js';
import { SiteFiles } from './site-files.js';

/** A file has one line in the log, not one for each piece. */
const AUDIT = { user: 'sitefiles.audit_upload', admin: 'sitefiles.audit_upload_of' } as const;

/**
 * Uploads in pieces, which go on where they stopped: `file_upload_size` tells where that is, `fileupload` takes a piece that begins there. Its answers are those clients
 * know: `error` 0 with the bytes there are, or 1 with `size` 1 for the last piece and 4 for a refusal. Source: docs/panel-api.md "Files".
 */
@Injectable()
export class FileUploadOperations {
  constructor(
    private readonly sites: SiteAccess,
    private readonly files: SiteFiles,
    private readonly audit: AuditLog,
  ) {}

  @Operation(onOwn('file_upload_size', UploadInput, null, 'read'))
  async progress(input: UploadInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
    const { received } = await this.files.uploaded(await siteOf(this.sites, input, ctx, 'look'), targetOf(input));
    return new RawReply({ code: 1, size: received });
  }

  @Operation({ ...onOwn('fileupload', UploadPieceInput, AUDIT.user, 'write'), writesLine: true })
  async piece(input: UploadPieceInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    try {
      const target = targetOf(input);
      const [file] = ctx.files;
      if (!file && target.size > 0) throw new FileError('NO_PIECE');
      const site = await siteOf(this.sites, input, ctx, 'change');
      const { received, done } = await this.files.upload(site, target, input.fesw, file?.buffer ?? Buffer.alloc(0));
      if (!done) return new RawReply({ success: true, qk: 1, error: 0, size: received });
      const side = ctx.scope === 'admin' ? 'admin' : 'user';
      const line = auditLine(AUDIT[side], { host: hostOf(site), path: pathIn(target.folder, target.name) });
      await this.audit.write(lineOfCall({ side, gn: 'fileupload' }, line, ctx));
      const msg = translate(locale, 'sitefiles.uploaded');
      return new RawReply({ success: true, qk: 1, error: 1, size: 1, msg, code: msg });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const msg = translate(locale, error.shape.text, error.params);
      return new RawReply({ success: false, qk: 4, error: 1, size: 4, msg, code: msg, err: error.shape.err });
    }
  }

  @Operation(onOwn('file_upload_cancel', UploadInput, null, 'write'))
  async cancel(input: UploadInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    await this.files.cancelUpload(await siteOf(this.sites, input, ctx, 'change'), targetOf(input));
    return new SuccessReply('sitefiles.cancelled');
  }

  @Operation(onHost('file_upload_size', ofHost(UploadInput), null, 'read'))
  progressOf(input: UploadInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
    return this.progress(input, ctx);
  }

  @Operation({ ...onHost('fileupload', ofHost(UploadPieceInput), AUDIT.admin, 'write'), writesLine: true })
  pieceOf(input: UploadPieceInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
    return this.piece(input, ctx);
  }

  @Operation(onHost('file_upload_cancel', ofHost(UploadInput), null, 'write'))
  cancelOf(input: UploadInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.cancel(input, ctx);
  }
}

function targetOf({ htl, path, fename, tempfilename, name, size, zsize, tag }: UploadInput): UploadTarget {
  return { folder: htl ?? path ?? '/', name: tempfilename ?? fename ?? name ?? '', size: zsize ?? size ?? 0, tag };
}
