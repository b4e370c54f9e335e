import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, sayWords } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { NoInput, Operation, type OperationDeclaration, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { callerOf, FileError, FileLinks, folderAndName, hostOf, pathIn, shownSize, SiteFiles } from '../files/index.js';
import { sayOfServer } from '../server-access.js';
import { ListData } from '../web-settings/index.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';

import { DatabaseBackups } from './database-backups.js';
import { type DatabaseAction, DatabaseActions } from './database-actions.js';
import { ProgramError, programError } from './program-errors.js';
import {
  DatabaseBackupInput,
  DatabaseExportInput,
  DatabaseImportInput,
  DatabaseTaskInput,
  OwnDatabaseBackupInput,
} from './program-inputs.js';
import { databaseOf } from './site-state.js';

/** Seconds a single-use link to a backup is valid. */
const LINK_SECONDS = 120;
/** Prefix of the path in a link to a backup; no file path starts with it. */
export const BACKUP_LINK = 'database:';

type Named = DatabaseBackupInput & { readonly id?: unknown };

/**
 * Operations on database backups of a site, and SQL runs; if one takes long, the response names the task (`task_id`).
 * Source: docs/panel-api.md "Databases of sites".
 */
export const databaseBackupOperations = siteOperations((on, side) => {
  /** An alias used by owners' programs. */
  const also = (name: string): Pick<OperationDeclaration, 'also'> => (side === 'user' ? { also: [name] } : {});
  const BackupInput = side === 'admin' ? DatabaseBackupInput : OwnDatabaseBackupInput;

  @Injectable()
  class DatabaseBackupOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly backups: DatabaseBackups,
      private readonly actions: DatabaseActions,
      private readonly files: SiteFiles,
      private readonly links: FileLinks,
      private readonly config: AppConfig,
    ) {}

    @Operation(on('backup_list', NoInput, null, 'read'))
    async list(input: NoInput & MaybeHost, ctx: CallContext): Promise<ListData> {
      const site = await this.sites.of(input, ctx, 'read');
      const [{ name, username }, backups] = await Promise.all([databaseOf(site), this.backups.list(site)]);
      const host = side === 'admin' ? String(site.account.id) : '';
      const rows = backups.map(({ id, fileName, size, madeAt }) => {
        const date = legacyTime(new Date(madeAt), this.config.timezone);
        return { id, name: fileName, filename: id, size, dx: shownSize(size), date, addtime: date, host };
      });
      const msg = { list: rows, count: rows.length, db_id: name, user: username };
      return new ListData({ success: true, qk: 1, code: sayWords(localeOf(ctx.locale), { key: 'siteprograms.backups_read' }), msg }, rows);
    }

    @Operation(on('databaseadd', NoInput, 'siteprograms.audit_backup', 'expensive'))
    async make(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.start(await this.sites.of(input, ctx, 'change'), { kind: 'backup' }, 'siteprograms.backup_made', ctx);
    }

    @Operation(on('databasedel', BackupInput, 'siteprograms.audit_backup_removed', 'write'))
    async remove(input: Named & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const { id, fileName: file } = await this.backups.find(site, nameOf(input));
      await site.ask('database', (port, account, deadline) => port.removeBackup(account, id, deadline), programError);
      return new SuccessReply('siteprograms.backup_removed', {}, { host: hostOf(site), file });
    }

    /** Issues a single-use, short-lived download link for the caller. */
    @Operation(on('databasedownload', BackupInput, 'siteprograms.audit_backup_link', 'write'))
    async download(input: Named & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'read');
      const { id, fileName: file, size } = await this.backups.find(site, nameOf(input));
      const token = await this.links.issue({ accountId: site.account.id, path: BACKUP_LINK + id }, callerOf(ctx), LINK_SECONDS);
      const url = `/${side}/${side === 'admin' ? 'host-database' : 'database'}/file?t=${token}`;
      return new SuccessReply('siteprograms.backup_link', { url, size }, { host: hostOf(site), file });
    }

    /** Restores a backup, after backing up the current database. */
    @Operation(on('databaserestore', BackupInput, 'siteprograms.audit_restore', 'expensive'))
    async restore(input: Named & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const { id, fileName: file } = await this.backups.find(site, nameOf(input));
      return this.start(site, { kind: 'restore', backup: id }, 'siteprograms.restored', ctx, { file });
    }

    /** Removes all tables, after a backup. */
    @Operation({ ...on('databaseqk', NoInput, 'siteprograms.audit_clear', 'expensive'), ...also('Delalldatabase'), secondProof: true })
    async clear(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.start(await this.sites.of(input, ctx, 'change'), { kind: 'clear' }, 'siteprograms.cleared', ctx);
    }

    /** Runs an SQL file of the site. File errors are reported before server errors. */
    @Operation(on('sqldr', DatabaseImportInput, 'siteprograms.audit_import', 'expensive'))
    async importFile(input: DatabaseImportInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const path = pathIn(input.path, input.filename);
      const { name } = folderAndName(path);
      if (!/\.(?:sql|sql\.gz|zip)$/i.test(name)) throw new ProgramError('NOT_SQL', { name }, { filename: notSql(name) });
      const site = await this.sites.of(input, ctx, 'change');
      site.port('database');
      await this.files.find(site, path);
      return this.start(site, { kind: 'run', path }, 'siteprograms.imported', ctx, { file: path });
    }

    /** Exports the database to a new file of the site. Name errors are reported before server errors. */
    @Operation(on('sqldc', DatabaseExportInput, 'siteprograms.audit_export', 'expensive'))
    async exportFile(input: DatabaseExportInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const path = pathIn(input.path, input.filename);
      const { folder, name } = folderAndName(path);
      if (!/^.+\.sql\.gz$/.test(name)) throw new ProgramError('NAME', { name }, { filename: notDump(name) });
      const site = await this.sites.of(input, ctx, 'change');
      if (!site.port('database').save) throw new ProgramError('NO_SAVING');
      if (folder !== '/') await this.files.find(site, folder);
      if (await this.isThere(site, path)) throw new ProgramError('TAKEN');
      return this.start(site, { kind: 'save', path }, 'siteprograms.exported', ctx, { file: path });
    }

    /** Returns the progress of an action. */
    @Operation(on('databaserw', DatabaseTaskInput, null, 'read'))
    async task(input: DatabaseTaskInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { account } = await this.sites.of(input, ctx, 'read');
      const { state, percent, error } = await this.actions.stateOf(account.id, input.task_id);
      const failed = error ? { err: error.shape.err, cw: sayOfServer(ctx, error.told) } : {};
      return new SuccessReply('siteprograms.task', { task_id: input.task_id, zt: state, jd: percent, ...failed });
    }

    private async isThere(site: OpenSite, path: string): Promise<boolean> {
      try {
        await this.files.find(site, path);
        return true;
      } catch (error) {
        if (error instanceof FileError && error.code === 'MISSING') return false;
        throw error;
      }
    }

    private async start(site: OpenSite, action: DatabaseAction, text: string, ctx: CallContext, line = {}): Promise<SuccessReply> {
      site.port('database');
      const { id, now } = await this.actions.start(site.account.id, action, callerOf(ctx));
      if (now.error) throw now.error;
      const params = { host: hostOf(site), ...line };
      return now.state === 'success'
        ? new SuccessReply(text, {}, params)
        : new SuccessReply('siteprograms.under_way', { task_id: id }, params);
    }
  }
  return DatabaseBackupOperations;
});

const notDump = (name: string): { key: string; params: { name: string } } => ({ key: 'siteprograms.file_name', params: { name } });
const notSql = (name: string): { key: string; params: { name: string } } => ({ key: 'siteprograms.not_sql', params: { name } });

/** @throws ProgramError DATABASE_BACKUP_GONE if no backup is named */
function nameOf({ bf, filename, id }: Named): string {
  const name = bf || filename || (typeof id === 'string' ? id : '');
  if (name === '') throw new ProgramError('DATABASE_BACKUP_GONE');
  return name;
}
