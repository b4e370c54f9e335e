import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';

/** How long unused domain data is kept, in milliseconds. */
const DOMAIN_KEPT_MS = 30 * DAY_MS;

/** Keeps monitors consistent with their accounts. */
@Injectable()
export class MonitorOwners {
  private readonly adopt;
  private readonly start;
  private readonly remove;
  private readonly removePages;
  private readonly removeDomains;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.adopt = database.statement(
      `UPDATE {MonitorTask} SET {MonitorTask.accountId} = (SELECT {HostingAccount.id} FROM {HostingAccount}
        WHERE {HostingAccount.userKey} = LOWER({MonitorTask.user}))
       WHERE {MonitorTask.accountId} IS NULL AND {MonitorTask.user} <> ''`,
    );
    this.start = database.statement(
      'UPDATE {MonitorTask} SET {MonitorTask.nextRunAt} = ? WHERE {MonitorTask.enabled} = 1 AND {MonitorTask.nextRunAt} IS NULL',
    );
    this.remove = database.statement(
      `DELETE FROM {MonitorTask} WHERE {MonitorTask.user} <> ''
       AND NOT EXISTS (SELECT 1 FROM {HostingAccount} WHERE {HostingAccount.id} = {MonitorTask.accountId})`,
    );
    this.removePages = database.statement(
      `DELETE FROM {StatusPage} WHERE {StatusPage.accountId} <> 0
       AND NOT EXISTS (SELECT 1 FROM {HostingAccount} WHERE {HostingAccount.id} = {StatusPage.accountId})`,
    );
    this.removeDomains = database.statement('DELETE FROM {DomainExpiry} WHERE {DomainExpiry.triedAt} < ?');
  }

  /**
   * Assigns imported rows their account and first run; deletes monitors, results and status pages of deleted accounts.
   *
   * @returns number of deleted monitors
   */
  @Job({ name: 'monitor-owners', everyMinutes: 5 })
  async tidy(): Promise<number> {
    await this.adopt.run();
    await this.start.run(this.clock.now());
    await this.removePages.run();
    await this.removeDomains.run(new Date(this.clock.now().getTime() - DOMAIN_KEPT_MS));
    return (await this.remove.run()).affected;
  }
}
