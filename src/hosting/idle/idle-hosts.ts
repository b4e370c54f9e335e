import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, legacyDay, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundTask, Job, type JobTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { DeletionCap, PAUSE_REASON } from '../accounts/index.js';
import { dayAfter, laterOf } from '../calendar.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleAction, IdleHost } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { AccountSweep, heldDeletions } from '../maintenance/index.js';

import { type ObservedHost, IdleRepository } from './idle-repository.js';
import { IdleActions } from './idle-actions.js';
import { isLookedAt, NOTICE_DAYS, planOf, signOf } from './idle-plan.js';
import { idleSettings, isAnyOn, isOn, type IdleSettings } from './idle-settings.js';

/**
 * What was told stands as long as no more than this lies between two looks, in milliseconds: after a longer gap, or a
 * clock that jumped, it is told anew.
 */
const GAP_MS = 2.5 * DAY_MS;
const BATCH = 200;
/** Names in a notice. */
const NAMED = 10;

/** Name of the background task that looks and does nothing else. */
export const IDLE_LOOK_TASK = 'hosting.idle-look';
/** Name of the background task that does what the job does. */
export const IDLE_RUN_TASK = 'hosting.idle-run';

const EXAMPLE = { days: 7, day: '2026-12-31', sign: { key: 'hosting.idle_sign_domain' } };
for (const text of ['hosting.idle_will_stop', 'hosting.idle_will_del', 'hosting.idle_remind'])
  registerNotice({ kind: 'system', title: { key: 'hosting.idle_title' }, texts: [{ key: text, params: EXAMPLE }] });
registerNotice({ kind: 'system', title: { key: 'hosting.idle_stopped_title' }, texts: [{ key: 'hosting.idle_stopped', params: EXAMPLE }] });
registerNotice({
  kind: 'system',
  title: { key: 'hosting.idle_report_title' },
  texts: [{ key: 'hosting.idle_report', params: { stopped: 2, deleted: 0, names: 'alice01, bob0001', waiting: 0 } }],
});

/** What one run has done. */
interface Tally {
  readonly stopped: string[];
  readonly deleted: string[];
  /** Hosts that were to be paused, and for which there was no room within the day. */
  waiting: number;
  /** Hosts that were to be deleted, and wait for an administrator's yes or the next day. */
  held: number;
}

/**
 * Hosts nobody uses: their owners are told, and when the day has come they are paused, or deleted where nobody pays for them. Every
 * action is decided anew under the claim of the account, from what its server, the settings and the row say then. Source:
 * docs/panel-api.md "Hosts nobody uses".
 */
@Injectable()
export class IdleHosts {
  constructor(
    private readonly database: Database,
    private readonly repository: IdleRepository,
    private readonly actions: IdleActions,
    private readonly site: SiteSettings,
    private readonly notices: Notices,
    private readonly audit: AuditLog,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly cap: DeletionCap,
  ) {}

  /** Once a day, where it is switched on. @returns how many hosts were looked at */
  @Job({ name: 'idle-hosts', dailyAt: '10:00', timeoutMinutes: 120 })
  async run(turn?: JobTurn): Promise<number> {
    await this.repository.clear();
    if (!isAnyOn(this.settings)) {
      await this.repository.withdraw();
      return 0;
    }
    const tally: Tally = { stopped: [], deleted: [], waiting: 0, held: 0 };
    try {
      return await this.each((host, shown) => this.treat(host, shown, tally), turn);
    } finally {
      await this.report(tally);
    }
  }

  /** The same at once, where an administrator let go what waited. */
  @BackgroundTask({ name: IDLE_RUN_TASK, attempts: 2, timeoutMinutes: 120 })
  runNow(_payload: unknown, turn: JobTurn): Promise<number> {
    return this.run(turn);
  }

  /** Looks which hosts nobody uses, and does nothing about them. */
  @BackgroundTask({ name: IDLE_LOOK_TASK, attempts: 2, timeoutMinutes: 120 })
  async look(_payload: unknown, turn: JobTurn): Promise<number> {
    await this.repository.clear();
    return this.each((host, shown) => this.note(host, shown).then(() => undefined), turn);
  }

  private get settings(): IdleSettings {
    return idleSettings(this.site.current);
  }

  private get today(): string {
    return legacyDay(this.clock.now(), this.config.timezone);
  }

  private async each(work: (host: ObservedHost, shown: readonly IdleSign[]) => Promise<void>, turn?: JobTurn): Promise<number> {
    const sweep = new AccountSweep('idle');
    for (let last = 0; ;) {
      const hosts = await this.repository.after(last, BATCH);
      const looked = hosts.filter((host) => !host.idle?.exempt && isLookedAt(host));
      for (const host of looked) {
        turn?.signal.throwIfAborted();
        await sweep.each([host], async () => work(host, await this.actions.look(host.id)));
      }
      if (hosts.length < BATCH) return sweep.count;
      last = hosts.at(-1)!.id;
    }
  }

  /** Writes down what was seen. @returns the sign that counts; null for a host that is used */
  private async note(host: ObservedHost, shown: readonly IdleSign[]): Promise<IdleSign | null> {
    const sign = signOf(shown, this.settings);
    if (sign) await this.repository.see(host, sign);
    else if (host.idle) await this.repository.forget(host.id);
    return sign;
  }

  private async treat(host: ObservedHost, shown: readonly IdleSign[], tally: Tally): Promise<void> {
    const sign = await this.note(host, shown);
    if (sign === null) return host.pauseReasons.includes(PAUSE_REASON.idle) ? this.actions.lift(host.id, 'cron') : undefined;
    const plan = planOf(host, sign, this.settings, this.today);
    if (plan.action === null) {
      if (host.idle?.announcedAt) await this.repository.withdraw(host.id);
      return this.remind(host, sign);
    }
    const announced = this.standing(host.idle, plan.action);
    if (!announced) {
      if (host.idle?.announcedAt) await this.repository.withdraw(host.id);
      return this.announce(host, sign, plan.action, plan.dueOn);
    }
    if (this.today < laterOf(announced.dueOn!, plan.dueOn)) return this.remind(host, sign);
    await this.act(host, announced, sign, tally);
  }

  /** What the owner was told, where that still holds: not after a gap, and not where worse is to come than he was told. */
  private standing(idle: IdleHost | null, action: IdleAction): (IdleHost & { announcedAt: Date }) | null {
    if (!idle?.announcedAt || !idle.seenAt || !idle.dueOn) return null;
    const now = this.clock.now().getTime();
    const gap = now - idle.seenAt.getTime();
    if (gap < 0 || gap > GAP_MS || idle.announcedAt.getTime() > now) return null;
    return idle.action === action || (idle.action === 'del' && action === 'stop') ? (idle as IdleHost & { announcedAt: Date }) : null;
  }

  private async announce(host: ObservedHost, sign: IdleSign, action: IdleAction, dueOn: string): Promise<void> {
    const { today } = this;
    if (today < dayAfter(dueOn, -NOTICE_DAYS)) return this.remind(host, sign);
    const day = laterOf(dueOn, dayAfter(today, NOTICE_DAYS));
    await this.database.transaction(async () => {
      if (await this.repository.announce(host.id, action, day, today))
        await this.tell(host, sign, `${action}:${day}`, `hosting.idle_will_${action}`, day);
    });
  }

  private async remind(host: ObservedHost, sign: IdleSign): Promise<void> {
    const { today, settings } = this;
    if (!settings[sign].reminds || host.state !== 'active') return;
    await this.database.transaction(async () => {
      if (await this.repository.remind(host.id, today)) await this.tell(host, sign, `remind:${today}`, 'hosting.idle_remind', today);
    });
  }

  private tell(host: ObservedHost, sign: IdleSign, key: string, text: string, day: string): Promise<number> {
    const params = { day, days: this.settings[sign].days, sign: { key: `hosting.idle_sign_${sign}` } };
    const isDone = text === 'hosting.idle_stopped';
    return this.notices.tell({
      to: { account: host.username },
      kind: 'system',
      level: 'warning',
      key: `idle:${host.id}:${key}`,
      title: { key: isDone ? 'hosting.idle_stopped_title' : 'hosting.idle_title' },
      text: { key: text, params },
      link: '/user/',
    });
  }

  private async act(host: ObservedHost, announced: IdleHost & { announcedAt: Date }, sign: IdleSign, tally: Tally): Promise<void> {
    if (announced.action === 'del' && !(await this.cap.hasRoom())) {
      tally.held += 1;
      return;
    }
    const taken = await this.repository.takeAction(announced, () => this.write(host, announced.action as IdleAction, sign));
    if (taken === 'taken') return;
    if (taken === 'full') {
      tally.waiting += 1;
      return;
    }
    let done = false;
    try {
      done = await this.carryOut(host, announced, taken);
    } catch (error) {
      // Somebody else's deletion took the last place of the day.
      if (!(error instanceof HostingError) || error.code !== 'DELETIONS_HELD') throw error;
      tally.held += 1;
    } finally {
      if (!done) await this.repository.giveBack(announced, taken);
    }
    if (!done) return;
    tally[announced.action === 'del' ? 'deleted' : 'stopped'].push(host.username);
    if (announced.action === 'stop') await this.tell(host, sign, `stopped:${taken.getTime()}`, 'hosting.idle_stopped', this.today);
  }

  /** The action as it was told; what is milder by now is left to the next run. */
  private carryOut(host: ObservedHost, announced: IdleHost, takenAt: Date): Promise<boolean> {
    const still = async (_: unknown, shown: readonly IdleSign[]): Promise<boolean> => {
      const now = await this.repository.find(host.id);
      const sign = signOf(shown, this.settings);
      if (!now?.idle || now.idle.exempt || !sign || !isOn(this.settings[sign])) return false;
      // Whoever said meanwhile that he needs it has the row changed.
      if (now.idle.doneAt?.getTime() !== takenAt.getTime() || now.idle.action !== announced.action) return false;
      const plan = planOf({ ...now, doneOn: host.doneOn }, sign, this.settings, this.today);
      return plan.action === announced.action && this.today >= plan.dueOn;
    };
    return announced.action === 'del' ? this.actions.delete(host.id, still) : this.actions.pause(host.id, still);
  }

  /** The line of the operation log, written with the decision: what follows of it may be cut short, but not unseen. */
  private async write(host: ObservedHost, action: IdleAction, sign: IdleSign): Promise<void> {
    const text = { key: `hosting.audit_idle_${action}`, params: { user: host.username, sign: { key: `hosting.idle_sign_${sign}` } } };
    const summary = translate(AUDIT_LOCALE, text.key, { user: host.username, sign: translate(AUDIT_LOCALE, text.params.sign.key) });
    await this.audit.write({ actor: 'cron', category: 'idle-hosts', summary, text, account: { side: 'user', id: host.id } });
  }

  private async report({ stopped, deleted, waiting, held }: Tally): Promise<void> {
    await this.cap.hold('idle', held);
    if (held > 0) await this.notices.tell(heldDeletions(await this.cap.state(), this.config.timezone));
    const names = [...stopped, ...deleted];
    if (names.length + waiting === 0) return;
    const params = { stopped: stopped.length, deleted: deleted.length, names: listed(names), waiting };
    await this.notices.tell({
      to: 'administrators',
      kind: 'system',
      level: waiting > 0 ? 'danger' : 'warning',
      // Once a day where nothing was done: hosts that wait are no news.
      key: `idle-report:${names.length > 0 ? this.clock.now().getTime() : this.today}`,
      title: { key: 'hosting.idle_report_title' },
      text: { key: waiting > 0 ? 'hosting.idle_report_waiting' : 'hosting.idle_report', params },
      link: '/admin/idle-hosts',
    });
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return '-';
  return `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' …' : ''}`;
}
