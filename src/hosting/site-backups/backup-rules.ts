import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { BYTES_PER_MB } from '../accounts/index.js';
import { type SiteBackupFrequency, HostingAccount, type SiteBackup } from '../entities/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';

/** Backup rules of a host: from its plan, otherwise from the settings of the installation. */
@Injectable()
export class SiteBackupRules {
  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly records: SiteBackupRecords,
  ) {}

  /** Location of future backups. */
  get place(): SiteBackup['place'] {
    return this.settings.current.siteBackupPlace === 's3' ? 's3' : 'disk';
  }

  /** Returns the maximum backups of a host; safety copies do not count. */
  async limitOf(hostId: number): Promise<number> {
    const account = await this.database
      .repository(HostingAccount)
      .findOne({ select: { id: true, backupQuota: true }, where: { id: hostId } });
    return account?.backupQuota ?? this.settings.current.siteBackupLimit;
  }

  /** Returns the schedule of a site. */
  scheduleOf({ backupSchedule }: Pick<HostingAccount, 'backupSchedule'>): SiteBackupFrequency {
    return backupSchedule ?? scheduleIn(this.settings.current.siteBackupSchedule);
  }

  /**
   * A manual backup needs a free slot; a scheduled one may replace the oldest scheduled one.
   *
   * @throws SiteBackupError NOT_OFFERED, LIMIT
   */
  async requireSlot({ id }: Pick<HostingAccount, 'id'>, kind: 'manual' | 'scheduled'): Promise<void> {
    const limit = await this.limitOf(id);
    if (limit === 0) throw new SiteBackupError('NOT_OFFERED');
    const there = await this.records.count(id, kind === 'manual' ? ['manual', 'scheduled'] : ['manual']);
    if (there >= limit) throw new SiteBackupError('LIMIT', { n: limit });
  }

  /** @throws SiteBackupError OVER_SPACE if the backup exceeds the site's current quota */
  requireSpace({ webQuotaMb }: Pick<HostingAccount, 'webQuotaMb'>, { content }: Pick<SiteBackup, 'content'>): void {
    if (webQuotaMb > 0 && content > webQuotaMb * BYTES_PER_MB)
      throw new SiteBackupError('OVER_SPACE', { need: Math.ceil(content / BYTES_PER_MB), have: webQuotaMb });
  }
}

/** Parses the schedule of the settings. */
export function scheduleIn(text: string): SiteBackupFrequency {
  return text === 'daily' || text === 'weekly' ? text : 'off';
}
