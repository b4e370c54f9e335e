import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { SiteSettings } from '../../site/index.js';
import { DeletionCap } from '../accounts/index.js';
import { dayAfter, laterOf, NOTICE_DAYS } from '../calendar.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleAction } from '../entities/index.js';
import { heldDeletions, listedNames } from '../maintenance/index.js';

import { IdleRepository, type ObservedHost } from './idle-repository.js';
import { idleSettings, type IdleSettings } from './idle-settings.js';

const EXAMPLE = { days: 7, day: '2026-12-31', sign: { key: 'hosting.idle_sign_domain' } };
for (const text of ['hosting.idle_will_stop', 'hosting.idle_will_del', 'hosting.idle_remind'])
  registerNotice({ kind: 'system', title: { key: 'hosting.idle_title' }, texts: [{ key: text, params: EXAMPLE }] });
registerNotice({ kind: 'system', title: { key: 'hosting.idle_stopped_title' }, texts: [{ key: 'hosting.idle_stopped', params: EXAMPLE }] });
registerNotice({
  kind: 'system',
  title: { key: 'hosting.idle_report_title' },
  texts: [{ key: 'hosting.idle_report', params: { stopped: 2, deleted: 0, names: 'alice01, bob0001', waiting: 0 } }],
});

/** Result of one run over unused hosts. */
export interface IdleTally {
  /** Usernames of paused hosts. */
  readonly stopped: string[];
  /** Usernames of deleted hosts. */
  readonly deleted: string[];
  /** Hosts to be paused that exceeded the limit of the day. */
  waiting: number;
  /** Hosts to be deleted that wait for an administrator's confirmation or the next day. */
  held: number;
}

/** Notices about unused hosts: to their owners, and to administrators after a run. */
@Injectable()
export class IdleNotices {
  constructor(
    private readonly database: Database,
    private readonly repository: IdleRepository,
    private readonly cap: DeletionCap,
    private readonly notices: Notices,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Announces an action to the owner, once it is close enough; until then the owner is reminded. */
  async announce(host: ObservedHost, sign: IdleSign, action: IdleAction, dueOn: string): Promise<void> {
    const today = this.clock.today();
    if (today < dayAfter(dueOn, -NOTICE_DAYS)) return this.remind(host, sign);
    const day = laterOf(dueOn, dayAfter(today, NOTICE_DAYS));
    await this.database.transaction(async () => {
      if (await this.repository.announce(host.id, action, day, today))
        await this.notify(host, sign, `${action}:${day}`, `hosting.idle_will_${action}`, day);
    });
  }

  /** Reminds the owner, once a day, if reminders are enabled. */
  async remind(host: ObservedHost, sign: IdleSign): Promise<void> {
    if (!this.settings[sign].reminds || host.state !== 'active') return;
    const today = this.clock.today();
    await this.database.transaction(async () => {
      if (await this.repository.remind(host.id, today)) await this.notify(host, sign, `remind:${today}`, 'hosting.idle_remind', today);
    });
  }

  /** Tells the owner that the host was paused. */
  async stopped(host: ObservedHost, sign: IdleSign, at: Date): Promise<void> {
    await this.notify(host, sign, `stopped:${at.getTime()}`, 'hosting.idle_stopped', this.clock.today());
  }

  /** Reports to administrators what a run did and what it held back. */
  async report({ stopped, deleted, waiting, held }: IdleTally): Promise<void> {
    await this.cap.hold('idle', held);
    if (held > 0) await this.notices.send(heldDeletions(await this.cap.state(), this.clock.timezone));
    const names = [...stopped, ...deleted];
    if (names.length + waiting === 0) return;
    const params = { stopped: stopped.length, deleted: deleted.length, names: listedNames(names) || '-', waiting };
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: waiting > 0 ? 'danger' : 'warning',
      // Runs that only find waiting hosts report them once a day.
      key: `idle-report:${names.length > 0 ? this.clock.now().getTime() : this.clock.today()}`,
      title: { key: 'hosting.idle_report_title' },
      text: { key: waiting > 0 ? 'hosting.idle_report_waiting' : 'hosting.idle_report', params },
      link: '/admin/idle-hosts',
    });
  }

  private get settings(): IdleSettings {
    return idleSettings(this.site.current);
  }

  private async notify(host: ObservedHost, sign: IdleSign, key: string, text: string, day: string): Promise<void> {
    const params = { day, days: this.settings[sign].days, sign: { key: `hosting.idle_sign_${sign}` } };
    const isDone = text === 'hosting.idle_stopped';
    await this.notices.send({
      to: { account: host.username },
      kind: 'system',
      level: 'warning',
      key: `idle:${host.id}:${key}`,
      title: { key: isDone ? 'hosting.idle_stopped_title' : 'hosting.idle_title' },
      text: { key: text, params },
      link: '/user/',
    });
  }
}
