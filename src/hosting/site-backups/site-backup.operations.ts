import { Injectable } from '@nestjs/common';

import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { SiteBackup } from '../entities/index.js';
import { callerOf, FileLinks, hostOf } from '../files/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { SiteBackupError } from './backup-errors.js';
import { OwnSiteInput, SiteBackupInput, SiteBackupListInput, SiteBackupPlanInput } from './backup-inputs.js';
import { SiteBackupPlans } from './backup-plans.js';
import { SiteBackupRecords } from './backup-records.js';
import { type SiteBackupLine, SiteBackupRows } from './backup-rows.js';
import { SiteBackupWork } from './backup-work.js';

/** Seconds a download link is valid: gigabytes take hours on a slow line, with interruptions. */
const LINK_SECONDS = 12 * 3_600;

/** Backups of the user's own site, and of any host for administrators. Source: docs/panel-api.md "Backups of sites". */
export const siteBackupOperations = siteOperations((on) => {
  @Injectable()
  class SiteBackupOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly records: SiteBackupRecords,
      private readonly rows: SiteBackupRows,
      private readonly plans: SiteBackupPlans,
      private readonly work: SiteBackupWork,
      private readonly links: FileLinks,
    ) {}

    @Operation(on('sitebackup_list', SiteBackupListInput, null, 'read'))
    async list(input: SiteBackupListInput & MaybeHost, ctx: CallContext): Promise<ListReply<SiteBackupLine & { host: string }>> {
      const { account } = await this.sites.of(input, ctx, 'read');
      const [rows, total] = await this.records.list(account.id, (input.page - 1) * input.limit, input.limit);
      const host = ctx.scope === 'admin' ? String(account.id) : '';
      const lines = await Promise.all(rows.map((row) => this.rows.of(row, ctx)));
      return new ListReply(
        total,
        lines.map((line) => ({ ...line, host })),
      );
    }

    /** Orders a backup; the list shows its progress. */
    @Operation(on('sitebackup_make', OwnSiteInput, 'sitebackup.audit_make', 'expensive'))
    async make(input: OwnSiteInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.make(site, 'manual', madeBy(ctx));
      return new SuccessReply('sitebackup.ordered', { bf: row.id }, { host: hostOf(site) });
    }

    /** Cancels the backup or restore that is running. */
    @Operation(on('sitebackup_stop', OwnSiteInput, 'sitebackup.audit_stop', 'write'))
    async stop(input: OwnSiteInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.stop(site.account.id);
      return new SuccessReply('sitebackup.stopped', {}, { host: hostOf(site), date: this.rows.dateOf(row) });
    }

    /** Restores the files of a backup, after a safety copy of the present ones. */
    @Operation(on('sitebackup_restore', SiteBackupInput, 'sitebackup.audit_restore', 'expensive'))
    async restore(input: SiteBackupInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.restore(site, input.bf, madeBy(ctx));
      return new SuccessReply('sitebackup.restoring', { bf: row.id }, { host: hostOf(site), date: this.rows.dateOf(row) });
    }

    /** Issues a download link for the caller only; see {@link LINK_SECONDS}. */
    @Operation(on('sitebackup_download', SiteBackupInput, 'sitebackup.audit_download', 'write'))
    async download(input: SiteBackupInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'read');
      const { account } = site;
      const row = await this.records.find(account.id, input.bf);
      if (row.size === 0) throw new SiteBackupError('UNFINISHED');
      const token = await this.links.issue({ accountId: account.id, path: linkOf(row) }, callerOf(ctx), LINK_SECONDS);
      const url = `/${ctx.scope === 'admin' ? 'admin/site-backups' : 'user/backups'}/file?t=${token}`;
      return new SuccessReply('sitebackup.link', { url, size: row.size }, { host: hostOf(site), date: this.rows.dateOf(row) });
    }

    @Operation(on('sitebackup_del', SiteBackupInput, 'sitebackup.audit_remove', 'write'))
    async remove(input: SiteBackupInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const { row, gone } = await this.work.remove(site.account.id, input.bf);
      return new SuccessReply(
        gone ? 'sitebackup.removed' : 'sitebackup.removed_soon',
        {},
        { host: hostOf(site), date: this.rows.dateOf(row) },
      );
    }

    /** Sets how often the site is backed up automatically. */
    @Operation(on('sitebackup_plan', SiteBackupPlanInput, 'sitebackup.audit_plan', 'write'))
    async plan(input: SiteBackupPlanInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      site.port('backups');
      await this.plans.save(site.account, input.zq || null);
      return new SuccessReply('sitebackup.planned', {}, { host: hostOf(site) });
    }
  }
  return SiteBackupOperations;
});

/** The target in a download link: never the path of a file, because paths begin with a slash. */
export const linkOf = ({ id }: Pick<SiteBackup, 'id'>): string => `backup:${id}`;

function madeBy(ctx: CallContext): string {
  return ctx.scope === 'admin' ? (ctx.admin?.username ?? 'admin') : 'user';
}
