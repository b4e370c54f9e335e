import { Injectable } from '@nestjs/common';

import { DAY_MS } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { BackgroundTask, Job, type JobTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { PAUSE_REASON } from '../accounts/index.js';
import { laterOf } from '../calendar.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleAction, IdleHost } from '../entities/index.js';
import { AccountSweep } from '../maintenance/index.js';

import { DueIdleActions } from './due-idle-actions.js';
import { type AnnouncedHost, type ObservedHost, IdleRepository } from './idle-repository.js';
import { IdleNotices, type IdleTally } from './idle-notices.js';
import { isLookedAt, planOf, signOf } from './idle-plan.js';
import { IdleSigns } from './idle-signs.js';
import { idleSettings, isAnyOn, type IdleSettings } from './idle-settings.js';

/**
 * An announcement is valid while successive checks are at most this far apart, in milliseconds. After a longer gap, or a clock that
 * jumped, it is made again.
 */
const MAX_GAP_MS = 2.5 * DAY_MS;
const BATCH = 200;

/** Name of the background task that checks hosts and takes no action. */
export const IDLE_CHECK_TASK = 'hosting.idle-look';
/** Name of the background task that does what the job does. */
export const IDLE_RUN_TASK = 'hosting.idle-run';

/**
 * Checks for unused hosts: their owners are notified, and when the announced day comes the hosts are paused, or deleted if nobody pays for
 * them. Every action is decided again under the claim of the account, from the current state of its server, the settings and the row.
 * Source: docs/panel-api.md "Hosts nobody uses".
 */
@Injectable()
export class IdleHosts {
  constructor(
    private readonly repository: IdleRepository,
    private readonly signs: IdleSigns,
    private readonly due: DueIdleActions,
    private readonly notices: IdleNotices,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Runs once a day if enabled. @returns how many hosts were checked */
  @Job({ name: 'idle-hosts', dailyAt: '10:00', timeoutMinutes: 120 })
  async run(turn?: JobTurn): Promise<number> {
    await this.repository.clear();
    if (!isAnyOn(this.settings)) {
      await this.repository.withdraw();
      return 0;
    }
    const tally: IdleTally = { stopped: [], deleted: [], waiting: 0, held: 0 };
    try {
      return await this.each((host, shown) => this.process(host, shown, tally), turn);
    } finally {
      await this.notices.report(tally);
    }
  }

  /** Runs immediately, after an administrator confirmed the deletions that were held back. */
  @BackgroundTask({ name: IDLE_RUN_TASK, attempts: 2, timeoutMinutes: 120 })
  runNow(_payload: unknown, turn: JobTurn): Promise<number> {
    return this.run(turn);
  }

  /** Records which hosts are unused, and takes no action. */
  @BackgroundTask({ name: IDLE_CHECK_TASK, attempts: 2, timeoutMinutes: 120 })
  async check(_payload: unknown, turn: JobTurn): Promise<number> {
    await this.repository.clear();
    return this.each((host, shown) => this.record(host, shown).then(() => undefined), turn);
  }

  private get settings(): IdleSettings {
    return idleSettings(this.site.current);
  }

  private async each(work: (host: ObservedHost, shown: readonly IdleSign[]) => Promise<void>, turn?: JobTurn): Promise<number> {
    const sweep = new AccountSweep('idle');
    for (let last = 0; ;) {
      const hosts = await this.repository.after(last, BATCH);
      const checked = hosts.filter((host) => !host.idle?.exempt && isLookedAt(host));
      for (const host of checked) {
        turn?.signal.throwIfAborted();
        await sweep.each([host], async () => work(host, await this.signs.of(host.id)));
      }
      if (hosts.length < BATCH) return sweep.count;
      last = hosts.at(-1)!.id;
    }
  }

  /** Records whether a host is unused. @returns the relevant sign; null for a host that is used */
  private async record(host: ObservedHost, shown: readonly IdleSign[]): Promise<IdleSign | null> {
    const sign = signOf(shown, this.settings);
    if (sign) await this.repository.see(host, sign);
    else if (host.idle) await this.repository.forget(host.id);
    return sign;
  }

  private async process(host: ObservedHost, shown: readonly IdleSign[], tally: IdleTally): Promise<void> {
    const sign = await this.record(host, shown);
    if (sign === null) return host.pauseReasons.includes(PAUSE_REASON.idle) ? this.due.endPause(host) : undefined;
    const today = this.clock.today();
    const plan = planOf(host, sign, this.settings, today);
    if (plan.action === null) {
      if (host.idle?.announcedAt) await this.repository.withdraw(host.id);
      return this.notices.remind(host, sign);
    }
    const announced = this.announced(host.idle, plan.action);
    if (!announced) {
      if (host.idle?.announcedAt) await this.repository.withdraw(host.id);
      return this.notices.announce(host, sign, plan.action, plan.dueOn);
    }
    if (today < laterOf(announced.dueOn, plan.dueOn)) return this.notices.remind(host, sign);
    const outcome = await this.due.take(host, announced, sign);
    if (outcome.kind === 'held') tally.held += 1;
    if (outcome.kind === 'full') tally.waiting += 1;
    if (outcome.kind !== 'done') return;
    tally[announced.action === 'del' ? 'deleted' : 'stopped'].push(host.username);
    if (announced.action === 'stop') await this.notices.stopped(host, sign, outcome.at);
  }

  /** Returns the announcement if it is still valid: not after a gap, and not if the action is worse than the one announced. */
  private announced(idle: IdleHost | null, action: IdleAction): AnnouncedHost | null {
    if (!idle?.announcedAt || !idle.seenAt || !idle.dueOn) return null;
    const now = this.clock.now().getTime();
    const gap = now - idle.seenAt.getTime();
    if (gap < 0 || gap > MAX_GAP_MS || idle.announcedAt.getTime() > now) return null;
    return idle.action === action || (idle.action === 'del' && action === 'stop') ? (idle as AnnouncedHost) : null;
  }
}
