import { Controller } from '@nestjs/common';

import { timeInSentence } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { versioned } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { defineList, type ListRow, Page, SettingsTab } from '../../web/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { SiteBackupRecords } from './backup-records.js';
import { scheduleIn, SiteBackupRules } from './backup-rules.js';
import { SiteBackupStorage } from './backup-storage.js';
import { siteBackupForm } from './site-backup-settings.operations.js';

const isDone = (row: ListRow): boolean => row.zt === 'done';
const named = (row: ListRow): Record<string, string> => ({ bf: String(row.id), ...(row.host ? { id: String(row.host) } : {}) });

/** Declares the list of a site's backups. */
const backupsOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'site-backups',
    operation: 'sitebackup_list',
    given: side === 'admin' ? ['id'] : [],
    empty: 'site_backups.empty',
    columns: [
      {
        field: 'date',
        title: 'site_backups.date',
        kind: 'moment',
        notes: [
          { text: (row) => String(row.bz ?? ''), at: (row) => String(row.restored_at ?? '') },
          { text: (row) => String(row.cw ?? ''), tone: 'danger' },
        ],
      },
      {
        field: 'fs',
        title: 'site_backups.kind',
        kind: 'badge',
        badges: {
          manual: ['secondary', 'site_backups.manual'],
          scheduled: ['secondary', 'site_backups.scheduled'],
          safety: ['blue', 'site_backups.safety'],
        },
      },
      {
        field: 'zt',
        title: 'site_backups.state',
        kind: 'badge',
        badges: {
          making: ['blue', 'site_backups.making'],
          done: ['green', 'site_backups.done'],
          failed: ['red', 'site_backups.failed'],
          restoring: ['yellow', 'site_backups.restoring'],
        },
      },
      { field: 'dx', title: 'site_backups.size', whole: true },
      { field: 'wj', title: 'site_backups.files' },
      {
        field: 'wz',
        title: 'site_backups.place',
        kind: 'badge',
        badges: { disk: ['secondary', 'site_backups.disk'], s3: ['secondary', 'site_backups.bucket'] },
      },
    ],
    actions: [
      { label: 'site_backups.download', when: isDone, operation: 'sitebackup_download', fields: named, opens: 'url', then: 'nothing' },
      {
        label: 'site_backups.restore',
        when: isDone,
        tone: 'primary',
        operation: 'sitebackup_restore',
        fields: named,
        confirm: 'site_backups.restore_confirm',
        then: 'reload',
      },
      {
        label: 'site_backups.remove',
        when: (row) => isDone(row) || row.zt === 'failed',
        tone: 'danger',
        operation: 'sitebackup_del',
        fields: named,
        confirm: 'site_backups.remove_confirm',
      },
    ],
  });

/** Backup pages of a site for its owner and for administrators, and the settings tab with their location. */
@Controller()
export class SiteBackupPages {
  constructor(
    private readonly sites: SiteAccess,
    private readonly records: SiteBackupRecords,
    private readonly rules: SiteBackupRules,
    private readonly storage: SiteBackupStorage,
    private readonly settings: SiteSettings,
    private readonly config: AppConfig,
  ) {}

  @Page({
    side: 'user',
    path: 'backups',
    title: 'sitebackup.menu.site_backups',
    menu: { icon: 'mdi-backup-restore', order: 18 },
    lists: [backupsOf('user')],
  })
  own(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, '/user/backups'));
  }

  @Page({ side: 'admin', path: 'site-backups', title: 'sitebackup.menu.site_backups', lists: [backupsOf('admin')] })
  ofHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, async (site) => ({
      ...(await this.shown(site, `/admin/site-backups?id=${site.account.id}`)),
      host_user: site.account.username,
    }));
  }

  @SettingsTab({ tab: 'site_backups', order: 67, needs: 'sitebackup_set' })
  tab(): object {
    const { config, storage } = this;
    return { ...versioned(siteBackupForm(this.settings.current)), folder: config.siteBackupDir, bucket: storage.shown ?? '' };
  }

  private async shown(site: OpenSite, refresh: string): Promise<object> {
    const { account } = site;
    const [used, max, running] = await Promise.all([
      this.records.count(account.id, ['manual', 'scheduled']),
      this.rules.limitOf(account.id),
      this.records.underWay(account.id),
    ]);
    return {
      able: site.has('backups'),
      has_database: site.has('database'),
      used,
      max,
      running: running !== null,
      schedule: account.backupSchedule ?? '',
      schedule_default: scheduleIn(this.settings.current.siteBackupSchedule),
      next: account.backupDueAt ? timeInSentence(account.backupDueAt, this.config.timezone).slice(11) : '',
      refresh,
    };
  }
}
