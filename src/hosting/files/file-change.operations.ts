import { Injectable } from '@nestjs/common';

import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { hostOf, type MaybeHost, siteOf } from './caller.js';
import { onHost, onOwn } from './declared.js';
import { FileError } from './file-errors.js';
import { DeleteFileInput, DeleteFilesInput, NewFileInput, ofHost, RenameFileInput, TrashInput, WriteFileInput } from './file-inputs.js';
import { pathIn, readNames, told } from './file-names.js';
import { pathOf } from './file-view.operations.js';
import { SiteFiles } from './site-files.js';

/** Changing files, of the own site and of any host for administrators. Source: docs/panel-api.md "Files". */
@Injectable()
export class FileChangeOperations {
  constructor(
    private readonly sites: SiteAccess,
    private readonly files: SiteFiles,
  ) {}

  /** @throws FileError CHANGED where somebody else saved it since: the answer's `row_version` overwrites knowingly */
  @Operation(onOwn('setwj', WriteFileInput, 'sitefiles.audit_write', 'write'))
  async write(input: WriteFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const path = pathOf(input);
    const site = await siteOf(this.sites, input, ctx, 'change');
    const text = input.nr ?? input.content ?? '';
    const version = await this.files.write(site, path, text, false, input.row_version || input.mtime || undefined);
    return new SuccessReply('sitefiles.saved', { row_version: version }, { host: hostOf(site), path });
  }

  @Operation(onOwn('xjwj', NewFileInput, 'sitefiles.audit_new_file', 'write'))
  async makeFile(input: NewFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const path = newPath(input);
    const site = await siteOf(this.sites, input, ctx, 'change');
    await this.files.write(site, path, '', true);
    return new SuccessReply('sitefiles.made', { path }, { host: hostOf(site), path });
  }

  @Operation(onOwn('xjwjj', NewFileInput, 'sitefiles.audit_new_folder', 'write'))
  async makeFolder(input: NewFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const path = newPath(input);
    const site = await siteOf(this.sites, input, ctx, 'change');
    await this.files.makeFolder(site, path);
    return new SuccessReply('sitefiles.made', { path }, { host: hostOf(site), path });
  }

  @Operation(onOwn('ftpsc', DeleteFileInput, 'sitefiles.audit_delete', 'write'))
  async remove(input: DeleteFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const { name, path } = input;
    return this.discard(await siteOf(this.sites, input, ctx, 'change'), [pathIn(path, name)]);
  }

  @Operation(onOwn('ftpscxz', DeleteFilesInput, 'sitefiles.audit_delete', 'write'))
  async removeMany(input: DeleteFilesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const paths = readNames(input.idsz).map((name) => pathIn(input.path, name));
    return this.discard(await siteOf(this.sites, input, ctx, 'change'), paths);
  }

  @Operation(onOwn('setname', RenameFileInput, 'sitefiles.audit_rename', 'write'))
  async rename(input: RenameFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const folder = input.lj ?? input.path ?? '/';
    const { wjjm: from, wjmc: to } = input;
    const site = await siteOf(this.sites, input, ctx, 'change');
    await this.files.rename(site, folder, from, to);
    return new SuccessReply('sitefiles.renamed', {}, { host: hostOf(site), folder, from, to });
  }

  @Operation(onOwn('filetrash_restore', TrashInput, 'sitefiles.audit_restore', 'write'))
  async restore(input: TrashInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    const site = await siteOf(this.sites, input, ctx, 'change');
    const paths = await this.files.restore(site, readTrashIds(input.idsz));
    return new SuccessReply('sitefiles.restored', { paths }, { host: hostOf(site), n: paths.length, paths: told(paths) });
  }

  @Operation(onHost('setwj', ofHost(WriteFileInput), 'sitefiles.audit_write_of', 'write'))
  writeOf(input: WriteFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.write(input, ctx);
  }

  @Operation(onHost('xjwj', ofHost(NewFileInput), 'sitefiles.audit_new_file_of', 'write'))
  makeFileOf(input: NewFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.makeFile(input, ctx);
  }

  @Operation(onHost('xjwjj', ofHost(NewFileInput), 'sitefiles.audit_new_folder_of', 'write'))
  makeFolderOf(input: NewFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.makeFolder(input, ctx);
  }

  @Operation(onHost('ftpsc', ofHost(DeleteFileInput), 'sitefiles.audit_delete_of', 'write'))
  removeOf(input: DeleteFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.remove(input, ctx);
  }

  @Operation(onHost('ftpscxz', ofHost(DeleteFilesInput), 'sitefiles.audit_delete_of', 'write'))
  removeManyOf(input: DeleteFilesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.removeMany(input, ctx);
  }

  @Operation(onHost('setname', ofHost(RenameFileInput), 'sitefiles.audit_rename_of', 'write'))
  renameOf(input: RenameFileInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.rename(input, ctx);
  }

  @Operation(onHost('filetrash_restore', ofHost(TrashInput), 'sitefiles.audit_restore_of', 'write'))
  restoreOf(input: TrashInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
    return this.restore(input, ctx);
  }

  private async discard(site: OpenSite, paths: readonly string[]): Promise<SuccessReply> {
    const n = await this.files.discard(site, paths);
    if (n === 0) throw new FileError('MISSING', { name: told(paths) });
    return new SuccessReply('sitefiles.deleted', { n }, { host: hostOf(site), n, paths: told(paths) });
  }
}

/** Ids of the trash: a JSON array, or with commas, which they have none of. */
export function readTrashIds(text: string | undefined): string[] {
  return readNames(text).flatMap((id) => id.split(','));
}

function newPath({ ml, path, wjname, name }: NewFileInput): string {
  const own = wjname ?? name ?? '';
  if (own === '' || own.includes('/')) throw new FileError('NAME', { name: own });
  return pathIn(ml ?? path ?? '/', own);
}
