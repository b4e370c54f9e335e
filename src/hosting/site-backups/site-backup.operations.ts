import { Injectable } from '@nestjs/common';

import { Clock, legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingAccount, type SiteBackup } from '../entities/index.js';
import { callerOf, FileLinks, hostOf } from '../files/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { SiteBackupError } from './backup-errors.js';
import { OwnSiteInput, SiteBackupInput, SiteBackupListInput, SiteBackupPlanInput } from './backup-inputs.js';
import { SiteBackupRecords } from './backup-records.js';
import { type SiteBackupLine, SiteBackupRows } from './backup-rows.js';
import { SiteBackupRules } from './backup-rules.js';
import { nextLook } from './backup-schedule.js';
import { SiteBackupWork } from './backup-work.js';

/** Seconds a link to a backup works: gigabytes take hours on a slow line, and breaks. */
const LINK_SECONDS = 12 * 3_600;

/** Backups of the own site, and of any host for administrators. Source: docs/panel-api.md "Backups of sites". */
export const siteBackupOperations = siteOperations((on) => {
  @Injectable()
  class SiteBackupOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly records: SiteBackupRecords,
      private readonly rows: SiteBackupRows,
      private readonly rules: SiteBackupRules,
      private readonly work: SiteBackupWork,
      private readonly links: FileLinks,
      private readonly database: Database,
      private readonly config: AppConfig,
      private readonly clock: Clock,
    ) {}

    @Operation(on('sitebackup_list', SiteBackupListInput, null, 'read'))
    async list(input: SiteBackupListInput & MaybeHost, ctx: CallContext): Promise<ListReply<SiteBackupLine & { host: string }>> {
      const { account } = await this.sites.of(input, ctx, 'look');
      const [rows, total] = await this.records.list(account.id, (input.page - 1) * input.limit, input.limit);
      const host = ctx.scope === 'admin' ? String(account.id) : '';
      const lines = await Promise.all(rows.map((row) => this.rows.of(row, ctx)));
      return new ListReply(
        total,
        lines.map((line) => ({ ...line, host })),
      );
    }

    /** Has one made; how far it is is in the list. */
    @Operation(on('sitebackup_make', OwnSiteInput, 'sitebackup.audit_make', 'expensive'))
    async make(input: OwnSiteInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.make(site, 'manual', madeBy(ctx));
      return new SuccessReply('sitebackup.ordered', { bf: row.id }, { host: hostOf(site) });
    }

    /** Stops what is made or put back. */
    @Operation(on('sitebackup_stop', OwnSiteInput, 'sitebackup.audit_stop', 'write'))
    async stop(input: OwnSiteInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.stop(site.account.id);
      return new SuccessReply('sitebackup.stopped', {}, { host: hostOf(site), date: this.dateOf(row) });
    }

    /** Makes the files of a backup those of the site, after a safety copy. */
    @Operation(on('sitebackup_restore', SiteBackupInput, 'sitebackup.audit_restore', 'expensive'))
    async restore(input: SiteBackupInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.restore(site, input.bf, madeBy(ctx));
      return new SuccessReply('sitebackup.restoring', { bf: row.id }, { host: hostOf(site), date: this.dateOf(row) });
    }

    /** A link that downloads one: for the caller alone, and for as long as somebody with a slow line goes on with it. */
    @Operation(on('sitebackup_download', SiteBackupInput, 'sitebackup.audit_download', 'write'))
    async download(input: SiteBackupInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'look');
      const { account } = site;
      const row = await this.records.find(account.id, input.bf);
      if (row.size === 0) throw new SiteBackupError('UNFINISHED');
      const token = await this.links.issue({ accountId: account.id, path: linkOf(row) }, callerOf(ctx), LINK_SECONDS);
      const url = `/${ctx.scope === 'admin' ? 'admin/site-backups' : 'user/backups'}/file?t=${token}`;
      return new SuccessReply('sitebackup.link', { url, size: row.size }, { host: hostOf(site), date: this.dateOf(row) });
    }

    @Operation(on('sitebackup_del', SiteBackupInput, 'sitebackup.audit_remove', 'write'))
    async remove(input: SiteBackupInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const { row, gone } = await this.work.remove(site.account.id, input.bf);
      return new SuccessReply(gone ? 'sitebackup.removed' : 'sitebackup.removed_soon', {}, { host: hostOf(site), date: this.dateOf(row) });
    }

    /** How often the site is backed up by itself. */
    @Operation(on('sitebackup_plan', SiteBackupPlanInput, 'sitebackup.audit_plan', 'write'))
    async plan(input: SiteBackupPlanInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const { account } = site;
      site.port('backups');
      if ((await this.rules.limitOf(account.id)) === 0) throw new SiteBackupError('NOT_OFFERED');
      const wanted = { backupSchedule: input.zq || null, backupDueAt: nextLook(account.id, this.clock.now(), this.config.timezone) };
      await this.database.transaction(async () => {
        await this.database.repository(HostingAccount).update({ id: account.id }, wanted);
        this.database.noteChange({ of: 'host', id: account.id, only: ['backupSchedule'] }, account, wanted);
      });
      return new SuccessReply('sitebackup.planned', {}, { host: hostOf(site) });
    }

    private dateOf({ madeAt }: SiteBackup): string {
      return legacyTime(madeAt, this.config.timezone);
    }
  }
  return SiteBackupOperations;
});

/** What a link to a backup says: never the path of a file, which begins with a slash. */
export const linkOf = ({ id }: Pick<SiteBackup, 'id'>): string => `backup:${id}`;

function madeBy(ctx: CallContext): string {
  return ctx.scope === 'admin' ? (ctx.admin?.username ?? 'admin') : 'user';
}
