import { Injectable } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { JOB_SOURCE, LifeCycleService } from '../accounts/index.js';
import { deletionStep } from '../expiry-plan.js';

import { type EndingHost, ExpiryRepository } from './expiry-repository.js';
import { expiryRules } from './expiry-settings.js';

/** Deletes a single expired host. */
@Injectable()
export class ExpiredHostDeletion {
  constructor(
    private readonly repository: ExpiryRepository,
    private readonly lifeCycle: LifeCycleService,
    private readonly audit: AuditLog,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Deletes the host if its deletion is still due under the claim of its account. @returns whether it was deleted @throws HostingError */
  delete(id: number): Promise<boolean> {
    return this.lifeCycle.terminate(id, { source: JOB_SOURCE }, async () => {
      const host = await this.repository.find(id);
      if (!host || deletionStep(host, expiryRules(this.site.current), this.clock.today()).step !== 'delete') return false;
      await this.record(host);
      return true;
    });
  }

  /** Writes the operation log in the transaction of the decision: the deletion that follows may be interrupted, but is always logged. */
  private async record({ id, username, expiresOn }: EndingHost): Promise<void> {
    const text = { key: 'hosting.audit_expiry_delete', params: { user: username, day: expiresOn } };
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    await this.audit.write({ actor: 'cron', category: 'expiry-deletions', summary, text, account: { side: 'user', id } });
  }
}
