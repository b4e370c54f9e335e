import { Controller } from '@nestjs/common';

import { Database } from '../database/index.js';
import { HostingError, SiteAccess, SiteBackupRecords, SiteBackupRules, SiteDomain } from '../hosting/index.js';
import { OperationPipeline, SuccessReply, type RequestContext } from '../operations/index.js';
import type { ListDeclaration, Scope } from '../sdk/index.js';
import { Page, PageMissing, defineList } from '../web/index.js';

const BYTES_PER_GB = 1024 ** 3;

const historyOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'host-history',
    operation: 'listzjls',
    given: side === 'admin' ? ['id'] : [],
    empty: 'host_page.no_history',
    columns: [
      { field: 'date', title: 'host_page.date', kind: 'moment' },
      { field: 'czuser', title: 'host_page.who' },
      { field: 'lr', title: 'host_page.what', kind: 'brief' },
    ],
  });

/** Page of one host for the reseller: state, limits with their usage, and history; the history is also shown to its owner. */
@Controller()
export class HostPage {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly database: Database,
    private readonly sites: SiteAccess,
    private readonly backups: SiteBackupRecords,
    private readonly backupRules: SiteBackupRules,
  ) {}

  @Page({ side: 'admin', path: 'host', title: 'account.menu.host', needs: ['zjsj', 'listzjls'], lists: [historyOf('admin')] })
  async host(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    if (!/^[1-9]\d{0,9}$/.test(id)) throw new PageMissing();
    const row = await this.read(id, call);
    const quota = (text: string): { max: number; dq: number } => JSON.parse(text) as { max: number; dq: number };
    const traffic = quota(row.llmax!);
    const unenforced = row.bzx!.split(',');
    const limits = [
      { label: 'hosts.web_space', unit: 'MB', ...quota(row.hxa!), unenforced: false },
      { label: 'hosts.sql_space', unit: 'MB', ...quota(row.hxb!), unenforced: unenforced.includes('sqlkj') },
      {
        label: 'hosts.traffic',
        unit: 'GB',
        max: traffic.max,
        dq: Math.round((traffic.dq / BYTES_PER_GB) * 100) / 100,
        unenforced: unenforced.includes('ll'),
      },
      {
        label: 'host_page.domains',
        unit: '',
        max: Number(row.ymbds),
        dq: await this.database.repository(SiteDomain).countBy({ accountId: Number(id) }),
        unenforced: unenforced.includes('ymbds'),
      },
      {
        label: 'sitebackup.menu.site_backups',
        unit: '',
        max: await this.backupRules.limitOf(Number(id)),
        dq: await this.backups.count(Number(id), ['manual', 'scheduled']),
        // Here 0 means none, not unlimited.
        isMost: true,
        unenforced: unenforced.includes('bf_max'),
      },
    ];
    return { host: row, limits, can: await this.canOf(Number(id)) };
  }

  @Page({
    side: 'user',
    path: 'history',
    plain: true,
    title: 'account.menu.history',
    menu: { icon: 'mdi-history', order: 19 },
    lists: [historyOf('user')],
  })
  history(): object {
    return {};
  }

  /** Returns the features of its server; empty while the site is being created or deleted. */
  private async canOf(id: number): Promise<string[]> {
    try {
      return [...(await this.sites.ofHost(id)).ports];
    } catch (error) {
      if (error instanceof HostingError) return [];
      throw error;
    }
  }

  /** @throws PageMissing if it does not exist, or is not accessible to this administrator */
  private async read(id: string, call: RequestContext): Promise<Record<string, string>> {
    try {
      const answer = await this.pipeline.show('admin', 'zjsj', { id }, call);
      return (answer as SuccessReply).extras as Record<string, string>;
    } catch (error) {
      if (error instanceof HostingError) throw new PageMissing();
      throw error;
    }
  }
}
