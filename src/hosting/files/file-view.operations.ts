import { Injectable } from '@nestjs/common';

import { Operation, RawReply, SuccessReply, TextReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { sayOfServer } from '../server-access.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { callerOf, hostOf } from './caller.js';
import { FileActions } from './file-actions.js';
import { FileInput, FileListInput, FileSizeInput, FileTaskInput, TrashListInput } from './file-inputs.js';
import { FileLinks } from './file-links.js';
import { pathIn } from './file-names.js';
import { shownSize } from './shown-size.js';
import { SiteFiles } from './site-files.js';

/** Returns the path given by a form: a full path, or a folder and a name. */
export function pathOf({ wj, path, name }: FileInput): string {
  return wj ?? (name ? pathIn(path ?? '/', name) : (path ?? '/'));
}

/**
 * Operations that read and download files: of the user's own site, or of any host for administrators. Source: docs/panel-api.md "Files".
 */
export const fileViewOperations = siteOperations((on) => {
  @Injectable()
  class FileViewOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly files: SiteFiles,
      private readonly actions: FileActions,
      private readonly links: FileLinks,
    ) {}

    @Operation(on('listfile', FileListInput, null, 'read'))
    async list(input: FileListInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const found = await this.files.list(await this.sites.of(input, ctx, 'read'), input);
      return new RawReply(withHost(found, ctx, input));
    }

    /** Responds with the text itself; a rejection has the usual shape. */
    @Operation(on('hqwj', FileInput, null, 'read'))
    async text(input: FileInput & MaybeHost, ctx: CallContext): Promise<TextReply> {
      const { text } = await this.files.text(await this.sites.of(input, ctx, 'read'), pathOf(input));
      return new TextReply(text);
    }

    /** `code` is the formatted size, `size` is in bytes. */
    @Operation(on('hqdx', FileSizeInput, null, 'expensive'))
    async size(input: FileSizeInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const size = await this.files.size(await this.sites.of(input, ctx, 'read'), input.dw ?? input.path ?? '/');
      return new RawReply({ success: true, qk: 1, code: shownSize(size), size });
    }

    @Operation(on('filetrash', TrashListInput, null, 'read'))
    async trash(input: TrashListInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const found = await this.files.trash(await this.sites.of(input, ctx, 'read'), input.page, input.limit);
      return new RawReply(withHost(found, ctx, input));
    }

    /** Returns the progress of a copy, an archive or the removal of trash. */
    @Operation(on('rwsj', FileTaskInput, null, 'read'))
    async task(input: FileTaskInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { account } = await this.sites.of(input, ctx, 'read');
      const now = await this.actions.stateOf(account.id, input.task_id);
      const base = { task_id: input.task_id, zt: now.state, log: [] };
      if (now.state === 'success')
        return new SuccessReply('sitefiles.task', { ...base, jd: 100, done: now.done.done, left: now.done.left });
      if (now.state === 'failed') {
        const { shape, told } = now.error;
        return new SuccessReply('sitefiles.task', { ...base, jd: 0, err: shape.err, cw: sayOfServer(ctx, told) });
      }
      const { done = 0, total = 0 } = now.progress ?? {};
      return new SuccessReply('sitefiles.task', { ...base, jd: total > 0 ? Math.floor((done / total) * 100) : 0, done });
    }

    /** Issues a single-use, short-lived download link for the caller. */
    @Operation(on('wjxz', FileInput, 'sitefiles.audit_link', 'write'))
    async link(input: FileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'read');
      const path = pathOf(input);
      const { size } = await this.files.find(site, path);
      const token = await this.links.issue({ accountId: site.account.id, path }, callerOf(ctx));
      return new SuccessReply('sitefiles.link', { url: `/${ctx.scope}/wjxz.php?t=${token}`, size }, { host: hostOf(site), path });
    }
  }
  return FileViewOperations;
});

/** On the admin side each row names its host, which its actions need. */
function withHost<Found extends { rows: readonly object[] }>(found: Found, ctx: CallContext, { id }: MaybeHost): Found {
  return ctx.scope === 'admin' ? { ...found, rows: found.rows.map((row) => ({ ...row, host: String(id) })) } : found;
}
