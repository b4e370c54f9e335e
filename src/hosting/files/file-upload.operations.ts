import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { auditLine, AuditLog, lineOfCall, Operation, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { UploadTarget } from '../driver/index.js';
import { HostingError } from '../hosting-errors.js';
import { sayOfServer } from '../server-access.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { hostOf } from './caller.js';
import { FileError } from './file-errors.js';
import { UploadInput, UploadPieceInput } from './file-inputs.js';
import { pathIn } from './file-names.js';
import { SiteFiles } from './site-files.js';

/**
 * Resumable uploads in pieces: `file_upload_size` returns the current offset, `fileupload` accepts a piece that starts there. The responses
 * follow existing clients: `error` 0 with the bytes received, or 1 with `size` 1 for the last piece and 4 for a rejection.
 * Source: docs/panel-api.md "Files".
 */
export const fileUploadOperations = siteOperations((on) => {
  /** Logs one entry per file, not per piece. */
  const PIECE = { ...on('fileupload', UploadPieceInput, 'sitefiles.audit_upload', 'write'), writesLine: true } as const;

  @Injectable()
  class FileUploadOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly files: SiteFiles,
      private readonly audit: AuditLog,
    ) {}

    @Operation(on('file_upload_size', UploadInput, null, 'read'))
    async progress(input: UploadInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { received } = await this.files.uploaded(await this.sites.of(input, ctx, 'read'), targetOf(input));
      return new RawReply({ code: 1, size: received });
    }

    @Operation(PIECE)
    async piece(input: UploadPieceInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const locale = localeOf(ctx.locale);
      try {
        const target = targetOf(input);
        const [file] = ctx.files;
        if (!file && target.size > 0) throw new FileError('NO_PIECE');
        const site = await this.sites.of(input, ctx, 'change');
        const { received, done } = await this.files.upload(site, target, input.fesw, file?.buffer ?? Buffer.alloc(0));
        if (!done) return new RawReply({ success: true, qk: 1, error: 0, size: received });
        const line = auditLine(PIECE.audit!, { host: hostOf(site), path: pathIn(target.folder, target.name) });
        await this.audit.write(lineOfCall(PIECE, line, ctx));
        const msg = translate(locale, 'sitefiles.uploaded');
        return new RawReply({ success: true, qk: 1, error: 1, size: 1, msg, code: msg });
      } catch (error) {
        if (!(error instanceof FileError || error instanceof HostingError)) throw error;
        const msg = sayOfServer(ctx, error.told);
        return new RawReply({ success: false, qk: 4, error: 1, size: 4, msg, code: msg, err: error.shape.err });
      }
    }

    @Operation(on('file_upload_cancel', UploadInput, null, 'write'))
    async cancel(input: UploadInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      await this.files.cancelUpload(await this.sites.of(input, ctx, 'change'), targetOf(input));
      return new SuccessReply('sitefiles.cancelled');
    }
  }
  return FileUploadOperations;
});

function targetOf({ htl, path, fename, tempfilename, name, size, zsize, tag }: UploadInput): UploadTarget {
  return { folder: htl ?? path ?? '/', name: tempfilename ?? fename ?? name ?? '', size: zsize ?? size ?? 0, tag };
}
