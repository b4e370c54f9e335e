import { Injectable } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { DeletionCap } from '../accounts/index.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleAction } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { IdleActions, type StillIdle } from './idle-actions.js';
import { planOf, signOf } from './idle-plan.js';
import { type AnnouncedHost, IdleRepository, type ObservedHost } from './idle-repository.js';
import { idleSettings, type IdleSettings, isOn } from './idle-settings.js';

/**
 * What became of a due action: `done` at a time; `full` and `held` when the limit of the day on pauses or deletions is reached; `dropped`
 * if another process took it or it no longer applies.
 */
export type DueOutcome = { readonly kind: 'done'; readonly at: Date } | { readonly kind: 'full' | 'held' | 'dropped' };

/** Takes announced actions on unused hosts when their day has come. */
@Injectable()
export class DueIdleActions {
  constructor(
    private readonly repository: IdleRepository,
    private readonly actions: IdleActions,
    private readonly cap: DeletionCap,
    private readonly audit: AuditLog,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Takes the announced action; a milder one that applies by now is left to the next run. */
  async take(host: ObservedHost, announced: AnnouncedHost, sign: IdleSign): Promise<DueOutcome> {
    if (announced.action === 'del' && !(await this.cap.hasRoom())) return { kind: 'held' };
    const at = await this.repository.takeAction(announced, () => this.record(host, announced.action, sign));
    if (at === 'taken') return { kind: 'dropped' };
    if (at === 'full') return { kind: 'full' };
    let done = false;
    try {
      done = await this.run(host, announced, at);
    } catch (error) {
      // A concurrent deletion used up the limit of the day.
      if (error instanceof HostingError && error.code === 'DELETIONS_HELD') return { kind: 'held' };
      throw error;
    } finally {
      if (!done) await this.repository.giveBack(announced, at);
    }
    return done ? { kind: 'done', at } : { kind: 'dropped' };
  }

  /** Ends the pause of a host that is used again. */
  endPause(host: ObservedHost): Promise<void> {
    return this.actions.lift(host.id, 'cron');
  }

  private get settings(): IdleSettings {
    return idleSettings(this.site.current);
  }

  private run(host: ObservedHost, announced: AnnouncedHost, at: Date): Promise<boolean> {
    const still: StillIdle = async (_account, shown) => {
      const now = await this.repository.find(host.id);
      const sign = signOf(shown, this.settings);
      if (!now?.idle || now.idle.exempt || !sign || !isOn(this.settings[sign])) return false;
      // The row differs if the owner has confirmed since that the host is needed.
      if (now.idle.doneAt?.getTime() !== at.getTime() || now.idle.action !== announced.action) return false;
      const today = this.clock.today();
      const plan = planOf({ ...now, doneOn: host.doneOn }, sign, this.settings, today);
      return plan.action === announced.action && today >= plan.dueOn;
    };
    return announced.action === 'del' ? this.actions.delete(host.id, still) : this.actions.pause(host.id, still);
  }

  /** Writes the operation log in the transaction of the decision: the action that follows may be interrupted, but is always logged. */
  private async record(host: ObservedHost, action: IdleAction, sign: IdleSign): Promise<void> {
    const text = { key: `hosting.audit_idle_${action}`, params: { user: host.username, sign: { key: `hosting.idle_sign_${sign}` } } };
    const summary = translate(AUDIT_LOCALE, text.key, { user: host.username, sign: translate(AUDIT_LOCALE, text.params.sign.key) });
    await this.audit.write({ actor: 'cron', category: 'idle-hosts', summary, text, account: { side: 'user', id: host.id } });
  }
}
