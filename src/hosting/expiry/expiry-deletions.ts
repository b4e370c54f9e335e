import { Injectable } from '@nestjs/common';

import { Clock, legacyDay, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundTask, Job, type JobTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { DeletionCap, JOB_SOURCE, LifeCycleService } from '../accounts/index.js';
import { deletionStep } from '../expiry-plan.js';
import { HostingError } from '../hosting-errors.js';
import { AccountSweep, heldDeletions } from '../maintenance/index.js';

import { type EndingHost, ExpiryRepository, FIRST_EXPIRY } from './expiry-repository.js';
import { expiryRules } from './expiry-settings.js';

const BATCH = 200;
/** Names in a notice. */
const NAMED = 10;

/** Name of the background task that does what the job does, at once. */
export const EXPIRY_RUN_TASK = 'hosting.expiry-run';

registerNotice({
  kind: 'expire',
  title: { key: 'hosting.expiry_deletes_title' },
  texts: [{ key: 'hosting.expiry_deletes', params: { day: '2026-12-31', on: '2027-01-31' } }],
});
registerNotice({
  kind: 'system',
  title: { key: 'hosting.expiry_report_title' },
  texts: [{ key: 'hosting.expiry_report', params: { deleted: 2, names: 'alice01, bob0001' } }],
});

/** What one run has done. */
interface Tally {
  readonly deleted: string[];
  held: number;
}

/**
 * Hosts whose time is over and that nobody renewed: their owners are told, three days ahead at least, and then they are deleted into the
 * recycle bin of their server. Every deletion is decided anew under the claim of the account, and goes the road of all, past
 * {@link DeletionCap}. Source: docs/panel-api.md "The end of hosts".
 */
@Injectable()
export class ExpiryDeletions {
  constructor(
    private readonly database: Database,
    private readonly repository: ExpiryRepository,
    private readonly lifeCycle: LifeCycleService,
    private readonly cap: DeletionCap,
    private readonly notices: Notices,
    private readonly audit: AuditLog,
    private readonly site: SiteSettings,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Any number of processes may run it at once: each host is deleted by one. @returns how many were looked at without an error */
  @Job({ name: 'expiry-deletions', dailyAt: '11:00', timeoutMinutes: 120 })
  async run(turn?: JobTurn): Promise<number> {
    await this.repository.clear();
    const tally: Tally = { deleted: [], held: 0 };
    const sweep = new AccountSweep('expiry-deletions');
    try {
      for (let last = FIRST_EXPIRY; ;) {
        const hosts = await this.repository.overBefore(this.today, this.rules.keepDays, last, BATCH);
        for (const host of hosts) {
          turn?.signal.throwIfAborted();
          await sweep.each([host], () => this.treat(host, tally));
        }
        if (hosts.length < BATCH) return sweep.count;
        last = hosts.at(-1)!;
      }
    } finally {
      await this.report(tally);
    }
  }

  /** The same at once, where an administrator said yes to what waited. */
  @BackgroundTask({ name: EXPIRY_RUN_TASK, attempts: 2, timeoutMinutes: 120 })
  runNow(_payload: unknown, turn: JobTurn): Promise<number> {
    return this.run(turn);
  }

  private get today(): string {
    return legacyDay(this.clock.now(), this.config.timezone);
  }

  private get rules() {
    return expiryRules(this.site.current);
  }

  private async treat(host: EndingHost, tally: Tally): Promise<void> {
    const next = deletionStep(host, this.rules, this.today);
    if (next.step === 'tell') await this.tell(host, next.day);
    if (next.step !== 'delete') return;
    if (!(await this.cap.hasRoom())) {
      tally.held += 1;
      return;
    }
    try {
      if (await this.delete(host)) tally.deleted.push(host.username);
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      // Somebody else's deletion took the last place of the day.
      if (error.code === 'DELETIONS_HELD') tally.held += 1;
      // Another process was quicker.
      else if (error.code !== 'ACCOUNT_NOT_FOUND') throw error;
    }
  }

  private tell(host: EndingHost, on: string): Promise<number> {
    const { id, username, expiresOn: day } = host;
    return this.database.transaction(async () => {
      // Told while the clock is wrong, it would be told of a wrong day.
      if ((await this.cap.state()).jump || !(await this.repository.tell(host, on))) return 0;
      return this.notices.tell({
        to: { account: username },
        kind: 'expire',
        level: 'danger',
        key: `expire-delete:${id}:${day}:${on}`,
        title: { key: 'hosting.expiry_deletes_title' },
        text: { key: 'hosting.expiry_deletes', params: { day, on } },
        link: '/user/',
      });
    });
  }

  private delete({ id }: EndingHost): Promise<boolean> {
    return this.lifeCycle.terminate(id, { source: JOB_SOURCE }, async () => {
      const now = await this.repository.find(id);
      if (!now || deletionStep(now, this.rules, this.today).step !== 'delete') return false;
      await this.write(now);
      return true;
    });
  }

  /** The line of the operation log, written with the decision: what follows of it may be cut short, but not unseen. */
  private async write({ id, username, expiresOn }: EndingHost): Promise<void> {
    const text = { key: 'hosting.audit_expiry_delete', params: { user: username, day: expiresOn } };
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    await this.audit.write({ actor: 'cron', category: 'expiry-deletions', summary, text, account: { side: 'user', id } });
  }

  private async report({ deleted, held }: Tally): Promise<void> {
    await this.cap.hold('expired', held);
    if (held > 0) await this.notices.tell(heldDeletions(await this.cap.state(), this.config.timezone));
    if (deleted.length === 0) return;
    const names = `${deleted.slice(0, NAMED).join(', ')}${deleted.length > NAMED ? ' …' : ''}`;
    await this.notices.tell({
      to: 'administrators',
      kind: 'system',
      level: 'warning',
      key: `expiry-report:${this.clock.now().getTime()}`,
      title: { key: 'hosting.expiry_report_title' },
      text: { key: 'hosting.expiry_report', params: { deleted: deleted.length, names } },
      link: '/admin/recycle-bin',
    });
  }
}
