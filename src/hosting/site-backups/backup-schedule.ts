import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupNotices } from './backup-notices.js';
import { SiteBackupPlans } from './backup-plans.js';
import { SiteBackupRules } from './backup-rules.js';
import { SiteBackupWork } from './backup-work.js';
import { LostSiteBackups } from './lost-backups.js';

const log = loggerFor('hosting');

/** Orders the automatic backups that {@link SiteBackupPlans} has due. */
@Injectable()
export class SiteBackupSchedule {
  constructor(
    private readonly plans: SiteBackupPlans,
    private readonly lost: LostSiteBackups,
    private readonly sites: SiteAccess,
    private readonly rules: SiteBackupRules,
    private readonly work: SiteBackupWork,
    private readonly notices: SiteBackupNotices,
  ) {}

  /** Several processes may run it at a time. @returns how many backups this one ordered */
  @Job({ name: 'site-backups', everyMinutes: 10, timeoutMinutes: 60 })
  async orderDue(turn?: JobTurn): Promise<number> {
    await this.lost.end();
    let ordered = 0;
    for await (const { id, now } of this.plans.claimDue(turn?.signal)) if (await this.order(id, now)) ordered += 1;
    return ordered;
  }

  /** @returns whether a backup was ordered */
  private async order(id: number, now: Date): Promise<boolean> {
    try {
      const site = await this.sites.ofHost(id);
      const { account } = site;
      if (account.state !== 'active' || !site.has('backups') || !(await this.plans.isDay(account, now))) return false;
      await this.work.make(site, 'scheduled', 'schedule');
      return true;
    } catch (error) {
      if (error instanceof SiteBackupError && error.code === 'LIMIT') await this.notifyFull(id);
      // A busy site is backed up on its next day. One site must not keep the others from their backups.
      else if (!(error instanceof SiteBackupError)) log.warn({ err: error, account: id }, 'the backup of a site could not be ordered');
      return false;
    }
  }

  private async notifyFull(id: number): Promise<void> {
    const { account } = await this.sites.ofHost(id);
    await this.notices.tellFull(account, await this.rules.limitOf(id));
  }
}
