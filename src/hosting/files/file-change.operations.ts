import { Injectable } from '@nestjs/common';

import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';

import { hostOf } from './caller.js';
import { FileError } from './file-errors.js';
import { DeleteFileInput, DeleteFilesInput, NewFileInput, RenameFileInput, TrashInput, WriteFileInput } from './file-inputs.js';
import { pathIn, readNames, describePaths } from './file-names.js';
import { pathOf } from './file-view.operations.js';
import { SiteFiles } from './site-files.js';

/** Operations that change files: of the user's own site, or of any host for administrators. Source: docs/panel-api.md "Files". */
export const fileChangeOperations = siteOperations((on) => {
  @Injectable()
  class FileChangeOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly files: SiteFiles,
    ) {}

    /** @throws FileError CHANGED if the file was saved by someone else since; sending the `row_version` of the response overwrites it */
    @Operation(on('setwj', WriteFileInput, 'sitefiles.audit_write', 'write'))
    async write(input: WriteFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const path = pathOf(input);
      const site = await this.sites.of(input, ctx, 'change');
      const text = input.nr ?? input.content ?? '';
      const version = await this.files.write(site, path, text, false, input.row_version || input.mtime || undefined);
      return new SuccessReply('sitefiles.saved', { row_version: version }, { host: hostOf(site), path });
    }

    @Operation(on('xjwj', NewFileInput, 'sitefiles.audit_new_file', 'write'))
    async makeFile(input: NewFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const path = newPath(input);
      const site = await this.sites.of(input, ctx, 'change');
      await this.files.write(site, path, '', true);
      return new SuccessReply('sitefiles.made', { path }, { host: hostOf(site), path });
    }

    @Operation(on('xjwjj', NewFileInput, 'sitefiles.audit_new_folder', 'write'))
    async makeFolder(input: NewFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const path = newPath(input);
      const site = await this.sites.of(input, ctx, 'change');
      await this.files.makeFolder(site, path);
      return new SuccessReply('sitefiles.made', { path }, { host: hostOf(site), path });
    }

    @Operation(on('ftpsc', DeleteFileInput, 'sitefiles.audit_delete', 'write'))
    async remove(input: DeleteFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { name, path } = input;
      return this.discard(await this.sites.of(input, ctx, 'change'), [pathIn(path, name)]);
    }

    @Operation(on('ftpscxz', DeleteFilesInput, 'sitefiles.audit_delete', 'write'))
    async removeMany(input: DeleteFilesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const paths = readNames(input.idsz).map((name) => pathIn(input.path, name));
      return this.discard(await this.sites.of(input, ctx, 'change'), paths);
    }

    @Operation(on('setname', RenameFileInput, 'sitefiles.audit_rename', 'write'))
    async rename(input: RenameFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const folder = input.lj ?? input.path ?? '/';
      const { wjjm: from, wjmc: to } = input;
      const site = await this.sites.of(input, ctx, 'change');
      await this.files.rename(site, folder, from, to);
      return new SuccessReply('sitefiles.renamed', {}, { host: hostOf(site), folder, from, to });
    }

    @Operation(on('filetrash_restore', TrashInput, 'sitefiles.audit_restore', 'write'))
    async restore(input: TrashInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const paths = await this.files.restore(site, readTrashIds(input.idsz));
      return new SuccessReply('sitefiles.restored', { paths }, { host: hostOf(site), n: paths.length, paths: describePaths(paths) });
    }

    private async discard(site: OpenSite, paths: readonly string[]): Promise<SuccessReply> {
      const n = await this.files.discard(site, paths);
      if (n === 0) throw new FileError('MISSING', { name: describePaths(paths) });
      return new SuccessReply('sitefiles.deleted', { n }, { host: hostOf(site), n, paths: describePaths(paths) });
    }
  }
  return FileChangeOperations;
});

/** Parses trash ids: a JSON array, or separated by commas, which ids never contain. */
export function readTrashIds(text: string | undefined): string[] {
  return readNames(text).flatMap((id) => id.split(','));
}

function newPath({ ml, path, wjname, name }: NewFileInput): string {
  const own = wjname ?? name ?? '';
  if (own === '' || own.includes('/')) throw new FileError('NAME', { name: own });
  return pathIn(ml ?? path ?? '/', own);
}
