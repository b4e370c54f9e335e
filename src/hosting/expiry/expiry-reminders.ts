import { Injectable } from '@nestjs/common';

import { daysBetween } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { SiteSettings } from '../../site/index.js';
import { dayAfter } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';
import { deletionDay, reminderDue } from '../expiry-plan.js';
import type { ExpiryNotices } from '../maintenance/index.js';

import { type EndingHost, ExpiryRepository, FIRST_EXPIRY } from './expiry-repository.js';
import { expiryRules } from './expiry-settings.js';

const BATCH = 200;

registerNotice({
  kind: 'expire',
  title: { key: 'hosting.reminder_expiry' },
  texts: [
    { key: 'hosting.reminder_expires', params: { n: 7, day: '2026-12-31' } },
    { key: 'hosting.reminder_expires_today', params: { day: '2026-12-31' } },
  ],
});
registerNotice({
  kind: 'expire',
  title: { key: 'hosting.expiry_paused_title' },
  texts: [
    { key: 'hosting.expiry_paused', params: { day: '2026-12-31' } },
    { key: 'hosting.expiry_paused_until', params: { day: '2026-12-31', until: '2027-01-30' } },
  ],
});

/** Notifies owners when their host is about to expire and when it has expired. Days are in the time zone of the installation. */
@Injectable()
export class ExpiryReminders implements ExpiryNotices {
  constructor(
    private readonly database: Database,
    private readonly repository: ExpiryRepository,
    private readonly notices: Notices,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Sends the reminders due today, and those missed. @returns number of notices sent */
  @Job({ name: 'expiry-reminders', dailyAt: '09:00' })
  async run(turn?: JobTurn): Promise<number> {
    const today = this.clock.today();
    const rules = expiryRules(this.site.current);
    if (rules.reminders.length === 0) return 0;
    const until = dayAfter(today, rules.reminders[0]!);
    let sent = 0;
    for (let last = { ...FIRST_EXPIRY, expiresOn: today }; ;) {
      const hosts = await this.repository.endingBy(until, last, BATCH);
      for (const host of hosts) {
        turn?.signal.throwIfAborted();
        const step = reminderDue(host, rules, today);
        if (step !== null) sent += await this.remind(host, step, today);
      }
      if (hosts.length < BATCH) return sent;
      last = hosts.at(-1)!;
    }
  }

  /** Records the reminder and sends the notice in the same transaction, so that it is sent only once. */
  private remind(host: EndingHost, step: number, today: string): Promise<number> {
    const { id, username, expiresOn: day } = host;
    const n = daysBetween(today, day);
    return this.database.transaction(async () => {
      if (!(await this.repository.remind(host, step))) return 0;
      return this.notices.send({
        to: { account: username },
        kind: 'expire',
        level: 'warning',
        key: `expire:${id}:${day}:${step}`,
        title: { key: 'hosting.reminder_expiry' },
        text:
          n === 0 ? { key: 'hosting.reminder_expires_today', params: { day } } : { key: 'hosting.reminder_expires', params: { n, day } },
        link: '/user/',
      });
    });
  }

  notifyOfPause(account: HostingAccount): Promise<number> {
    const { id, username, expiresOn: day } = account;
    if (day === null) return Promise.resolve(0);
    const until = deletionDay(account, expiryRules(this.site.current));
    return this.notices.send({
      to: { account: username },
      kind: 'expire',
      level: 'danger',
      key: `expire-paused:${id}:${day}`,
      title: { key: 'hosting.expiry_paused_title' },
      text: until
        ? { key: 'hosting.expiry_paused_until', params: { day, until: dayAfter(until, -1) } }
        : { key: 'hosting.expiry_paused', params: { day } },
      link: '/user/',
    });
  }
}
