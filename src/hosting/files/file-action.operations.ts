import { Injectable } from '@nestjs/common';

import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';

import { callerOf, hostOf } from './caller.js';
import { readTrashIds } from './file-change.operations.js';
import { type FileAction, FileActions } from './file-actions.js';
import { FileError } from './file-errors.js';
import { EmptyTrashInput, PackInput, RelocateInput, UnpackInput } from './file-inputs.js';
import { folderAndName, inOneFolder, pathIn, readNames, describePaths } from './file-names.js';
import { SiteFiles } from './site-files.js';

/**
 * Possibly long-running work on files. If it is not done immediately, the response names the task (`task_id`), and `rwsj` returns its
 * progress.
 * Source: docs/panel-api.md "Files".
 */
export const fileActionOperations = siteOperations((on) => {
  const UNPACK = on('ftpjy', UnpackInput, 'sitefiles.audit_unpack', 'expensive');

  @Injectable()
  class FileActionOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly files: SiteFiles,
      private readonly actions: FileActions,
    ) {}

    @Operation(on('filecp', RelocateInput, 'sitefiles.audit_relocate', 'expensive'))
    async relocate(input: RelocateInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { folder: from, names } = inOneFolder(input.ypath, readNames(input.yfile));
      const to = input.xpath;
      const line = { paths: describePaths(names.map((name) => pathIn(from, name))), folder: to };
      const site = await this.sites.of(input, ctx, 'change');
      if (input.type === '1') return this.start(site, { kind: 'copy', wanted: { from, names, to } }, 'copied', line, ctx);
      if (same(from, to)) throw new FileError('SAME_FOLDER');
      const n = await this.files.move(site, from, names, to);
      return new SuccessReply('sitefiles.moved', { n }, { host: hostOf(site), n, ...line });
    }

    @Operation(on('fileys', PackInput, 'sitefiles.audit_pack', 'expensive'))
    async pack(input: PackInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { folder, names } = inOneFolder(input.path, readNames(input.file));
      const named = pathIn(input.path, input.dpath);
      const archive = /\.(?:zip|tgz|tar\.gz)$/i.test(named) ? named : `${named}.${input.type ?? 'zip'}`;
      const site = await this.sites.of(input, ctx, 'change');
      const line = { paths: describePaths(names.map((name) => pathIn(folder, name))), archive };
      return this.start(site, { kind: 'pack', wanted: { folder, names, archive } }, 'packed', line, ctx);
    }

    @Operation(UNPACK)
    async unpack(input: UnpackInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { jywj: archive, jymm: password, wjbm: names = input.wbbm } = input;
      if (password) throw new FileError('PASSWORD');
      const folder = input.jyd ?? folderAndName(archive).folder;
      const encoding = names === undefined ? undefined : names.startsWith('utf') ? 'utf-8' : 'gbk';
      const site = await this.sites.of(input, ctx, 'change');
      return this.start(site, { kind: 'unpack', wanted: { archive, folder, encoding } }, 'unpacked', { archive, folder }, ctx);
    }

    /** Alias of `ftpjy` that clients use. */
    @Operation({ ...UNPACK, gn: 'filejy' })
    unpackToo(input: UnpackInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unpack(input, ctx);
    }

    @Operation(on('filetrash_del', EmptyTrashInput, 'sitefiles.audit_purge', 'expensive'))
    async empty(input: EmptyTrashInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const ids = input.all === true ? undefined : readTrashIds(input.idsz);
      return this.start(await this.sites.of(input, ctx, 'change'), { kind: 'purge', wanted: { ids } }, 'purged', {}, ctx);
    }

    private async start(
      site: OpenSite,
      action: FileAction,
      text: string,
      line: Record<string, string>,
      ctx: CallContext,
    ): Promise<SuccessReply> {
      const { id, now } = await this.actions.start(site.account.id, action, callerOf(ctx));
      if (now.state === 'failed') throw now.error;
      const host = hostOf(site);
      if (now.state !== 'success') return new SuccessReply('sitefiles.under_way', { task_id: id }, { host, ...line });
      const { done, left } = now.done;
      const message = { key: `sitefiles.${text}`, params: { n: done } };
      return left === 0
        ? new SuccessReply(message.key, { n: done, left }, { host, ...message.params, ...line })
        : new SuccessReply('sitefiles.some_left', { n: done, left }, { host, text: message, left, ...line });
    }
  }
  return FileActionOperations;
});

function same(a: string, b: string): boolean {
  const parts = (path: string): string => path.split('/').filter(Boolean).join('/');
  return parts(a) === parts(b);
}
