import { Injectable } from '@nestjs/common';
import { IsBoolean } from 'class-validator';

import { accessOf } from '../../auth/index.js';
import { legacyDay, legacyTime, localeOf, translate, type Locale } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { ListInput, ListReply, NoInput, Operation, RowId, SuccessReply, Switch } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { PAUSE_REASON } from '../accounts/index.js';
import { dayAfter, NOTICE_DAYS } from '../calendar.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleHost } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { type ObservedHost, IdleRepository } from './idle-repository.js';
import { IdleActions } from './idle-actions.js';
import { IDLE_CHECK_TASK } from './idle-hosts.js';
import { idleSince, planOf } from './idle-plan.js';
import { idleSettings } from './idle-settings.js';

/** Fields of the administrators' `xzbl`. */
export class ExemptInput {
  /** Id of the host. */
  @RowId() id!: number;
  /** On: exempt from the check. */
  @Switch() @IsBoolean() kg!: boolean;
}

/** Lists unused hosts, and manages exemptions. Source: docs/panel-api.md "Hosts nobody uses". */
@Injectable()
export class IdleOperations {
  constructor(
    private readonly site: SiteSettings,
    private readonly repository: IdleRepository,
    private readonly actions: IdleActions,
    private readonly queue: BackgroundQueue,
    private readonly clock: ZonedClock,
  ) {}

  @Operation({ side: 'admin', gn: 'listxz', auth: 'admin', input: ListInput, audit: null, rate: 'read', servers: 'listed' })
  async list(input: ListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.repository.page(input, accessOf(ctx.admin).servers ?? null);
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      rows.map(({ host, idle }) => this.line(host, idle, locale)),
    );
  }

  /** Checks every host in the background, without taking any action. */
  @Operation({ side: 'admin', gn: 'xzjc', auth: 'admin', input: NoInput, audit: 'hosting.audit_idle_look', rate: 'expensive' })
  async checkAll(): Promise<SuccessReply> {
    await this.queue.add(IDLE_CHECK_TASK, {}, { key: 'look' });
    return new SuccessReply('hosting.idle_looking');
  }

  /**
   * Exempts a host, or ends the exemption; an exempted host that was paused as unused runs again.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND
   */
  @Operation({
    side: 'admin',
    gn: 'xzbl',
    auth: 'admin',
    input: ExemptInput,
    audit: 'hosting.audit_idle_exempt',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async exempt({ id, kg }: ExemptInput): Promise<SuccessReply> {
    const host = await this.repository.find(id);
    if (!host || (host.state !== 'active' && host.state !== 'paused')) throw new HostingError('ACCOUNT_NOT_FOUND');
    await this.repository.setExempt(host, kg);
    if (kg && host.pauseReasons.includes(PAUSE_REASON.idle)) await this.actions.lift(id, 'admin');
    return new SuccessReply(kg ? 'hosting.idle_exempted' : 'hosting.idle_counted', { id }, { user: host.username });
  }

  /** The owner confirms the host is needed: restarts the day count, and resumes the host if it was paused as unused. */
  @Operation({ side: 'user', gn: 'xzbl', auth: 'user', input: NoInput, audit: 'hosting.audit_idle_kept', rate: 'write' })
  async keep(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    const host = ctx.user && (await this.repository.find(ctx.user.id));
    if (!host) throw new HostingError('ACCOUNT_NOT_FOUND');
    await this.repository.keep(host.id);
    if (host.pauseReasons.includes(PAUSE_REASON.idle)) await this.actions.lift(host.id, 'user');
    return new SuccessReply('hosting.idle_kept');
  }

  private line(host: ObservedHost | null, idle: IdleHost, locale: Locale): Record<string, string> {
    const { timezone } = this.clock;
    const time = (moment: Date | null): string => (moment ? legacyTime(moment, timezone) : '');
    const today = this.clock.today();
    return {
      id: String(idle.hostId),
      user: host?.username ?? idle.username,
      server: host?.nodeCode ?? '',
      sign: idle.sign,
      since: host ? idleSince(host, today) : '',
      seen_at: time(idle.seenAt),
      exempt: String(idle.exempt),
      state: stateOf(host, idle),
      plan: this.planWords(host, idle, today, locale),
      announced_at: time(idle.announcedAt),
      done_at: time(idle.doneAt),
    };
  }

  /** Describes the planned action and its day, or why none is planned. */
  private planWords(host: ObservedHost | null, idle: IdleHost, today: string, locale: Locale): string {
    const say = (key: string, params: Record<string, string> = {}): string => translate(locale, `hosting.idle_plan_${key}`, params);
    if (!host) return say('deleted', { day: idle.doneAt ? legacyDay(idle.doneAt, this.clock.timezone) : '' });
    if (idle.exempt || idle.sign === '') return say('exempt');
    const plan = planOf(host, idle.sign as IdleSign, idleSettings(this.site.current), today);
    if (plan.action === null) return say(plan.why);
    const announced = idle.announcedAt !== null && idle.dueOn !== null && idle.action === plan.action;
    const earliest = announced ? idle.dueOn! : dayAfter(today, NOTICE_DAYS);
    return say(plan.action, { day: plan.dueOn > earliest ? plan.dueOn : earliest });
  }
}

/** Returns `exempt`, `told`, `stopped`, `deleted` or `seen`. */
function stateOf(host: ObservedHost | null, idle: IdleHost): string {
  if (!host) return 'deleted';
  if (idle.exempt) return 'exempt';
  if (host.pauseReasons.includes(PAUSE_REASON.idle)) return 'stopped';
  return idle.announcedAt ? 'told' : 'seen';
}
