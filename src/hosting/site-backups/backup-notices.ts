import { Injectable } from '@nestjs/common';

import { AppError, type TextRef, type Words } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { fullness } from '../accounts/index.js';
import { HostingAccount, type SiteBackup } from '../entities/index.js';
import { wordsForCustomer } from '../server-access.js';

import { SiteBackupRecords } from './backup-records.js';

/** Errors that affect all sites of a server, not only one. */
const SERVER_WIDE: readonly string[] = ['DISK_FULL', 'PANEL_DISK', 'STORAGE_REFUSED', 'STORAGE_SILENT', 'NO_BUCKET', 'BACKUP_DAMAGED'];
const LINK = '/user/backups';

registerNotice({
  kind: 'backup',
  title: { key: 'sitebackup.notice_failed' },
  texts: [{ key: 'sitebackup.notice_failed_text', params: { error: { key: 'sitebackup.too_many' } } }],
});
registerNotice({ kind: 'backup', title: { key: 'sitebackup.notice_again' }, texts: [{ key: 'sitebackup.notice_again_text' }] });
registerNotice({
  kind: 'backup',
  title: { key: 'sitebackup.notice_full' },
  texts: [{ key: 'sitebackup.notice_full_text', params: { n: 3 } }],
});
registerNotice({
  kind: 'backup',
  title: { key: 'sitebackup.notice_near' },
  texts: [{ key: 'sitebackup.notice_near_text', params: { used: 4, limit: 5 } }],
});
registerNotice({
  kind: 'backup',
  title: { key: 'sitebackup.notice_server' },
  texts: [{ key: 'sitebackup.notice_server_text', params: { node: 'local', error: { key: 'sitebackup.disk_full' } } }],
});

/**
 * Notifies owners that scheduled backups of their site fail, once until they succeed again, and administrators of problems that affect all
 * sites of a server.
 */
@Injectable()
export class SiteBackupNotices {
  constructor(
    private readonly database: Database,
    private readonly notices: Notices,
    private readonly records: SiteBackupRecords,
  ) {}

  /** Reports a failed scheduled backup. */
  async notifyFailed({ hostId, nodeCode, madeAt }: SiteBackup, error: unknown, words: Words): Promise<void> {
    const last = await this.records.last(hostId);
    const message: string | TextRef = words;
    const account = await this.database.repository(HostingAccount).findOneBy({ id: hostId });
    if (account)
      await this.notices.send({
        to: { account: account.username },
        kind: 'backup',
        level: 'danger',
        key: `site-backup:failed:${hostId}:${last?.id ?? 0}`,
        title: { key: 'sitebackup.notice_failed' },
        text: { key: 'sitebackup.notice_failed_text', params: { error: wordsForCustomer(words) } },
        link: LINK,
      });
    if (!(error instanceof AppError) || !SERVER_WIDE.includes(error.code)) return;
    await this.notices.send({
      to: 'administrators',
      kind: 'backup',
      level: 'danger',
      key: `site-backup:server:${nodeCode}:${error.code}:${madeAt.toISOString().slice(0, 10)}`,
      title: { key: 'sitebackup.notice_server' },
      text: { key: 'sitebackup.notice_server_text', params: { node: nodeCode, error: message } },
      link: '/admin/settings?tab=site_backups',
    });
  }

  /** Reports a completed scheduled backup, if the owner was notified of a failure. */
  async notifyRecovered({ id, username }: Pick<HostingAccount, 'id' | 'username'>, row: SiteBackup): Promise<void> {
    if (!(await this.records.failedBefore(id, row.id))) return;
    await this.notices.send({
      to: { account: username },
      kind: 'backup',
      level: 'success',
      key: `site-backup:again:${id}:${row.id}`,
      title: { key: 'sitebackup.notice_again' },
      text: { key: 'sitebackup.notice_again_text' },
      link: LINK,
    });
  }

  /** Warns, once per limit, if manual backups use most of the slots. */
  async notifyNearLimit({ id, username }: Pick<HostingAccount, 'id' | 'username'>, used: number, limit: number): Promise<void> {
    if (fullness(used, limit) === undefined) return;
    await this.notices.send({
      to: { account: username },
      kind: 'backup',
      level: 'warning',
      key: `site-backup:near:${id}:${limit}`,
      title: { key: 'sitebackup.notice_near' },
      text: { key: 'sitebackup.notice_near_text', params: { used, limit } },
      link: LINK,
    });
  }

  /** Warns that there is no slot for scheduled backups, because manual ones use all of them. */
  async tellFull({ id, username }: Pick<HostingAccount, 'id' | 'username'>, limit: number): Promise<void> {
    const last = await this.records.last(id);
    await this.notices.send({
      to: { account: username },
      kind: 'backup',
      level: 'warning',
      key: `site-backup:full:${id}:${limit}:${last?.id ?? 0}`,
      title: { key: 'sitebackup.notice_full' },
      text: { key: 'sitebackup.notice_full_text', params: { n: limit } },
      link: LINK,
    });
  }
}
