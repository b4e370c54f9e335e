import { Injectable } from '@nestjs/common';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

import { localeOf, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { EmptyIsUnset } from '../http/index.js';
import { NoInput, Operation, RawReply, RowIdOrZero, SuccessReply, WholeNumber } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { Checks } from './checks/index.js';
import { MonitorRepository, MonitorInput, MonitorLog, SaveMonitorInput, ToggleInput, checkWire, monitorWire } from './records/index.js';
import { savedReply } from './saved-reply.js';
import { testReply } from './test-reply.js';
import { MonitorStats, RANGES, pointsWire, type Range } from './stats/index.js';

const LOG_SIZES = [10, 15, 20, 25, 50, 100, 200];

/** Fields of `monitor_log_list`; `limit` is an alias of `page_size`. */
export class MonitorLogInput {
  /** Id of a monitor; 0 for all. */
  @IsOptional() @RowIdOrZero() id = 0;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsIn(LOG_SIZES) page_size?: number;
  @IsOptional() @WholeNumber() @IsIn(LOG_SIZES) limit?: number;
}

/** Fields of `monitor_stat`. */
export class MonitorStatInput extends MonitorInput {
  @IsOptional()
  @EmptyIsUnset()
  @IsIn(Object.keys(RANGES))
  range: Range = '24h';
}

/** Operations on an account's own monitors. Source: docs/panel-api.md "Monitors". */
@Injectable()
export class UserMonitorOperations {
  constructor(
    private readonly repository: MonitorRepository,
    private readonly log: MonitorLog,
    private readonly stats: MonitorStats,
    private readonly checks: Checks,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'user', gn: 'monitor_list', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const [tasks, max] = await Promise.all([this.repository.ofAccount(ctx.user!), this.repository.limitOf(ctx.user!)]);
    const rows = tasks.map((task) => monitorWire(task, localeOf(ctx.locale), this.config.timezone));
    return data(ctx, { tasks: rows, task_count: rows.length, max });
  }

  @Operation({ side: 'user', gn: 'monitor_save', auth: 'user', input: SaveMonitorInput, audit: 'monitor.audit.saved', rate: 'write' })
  async save(input: SaveMonitorInput, ctx: CallContext): Promise<SuccessReply> {
    return savedReply(await this.repository.save(input, ctx.user!));
  }

  @Operation({ side: 'user', gn: 'monitor_toggle', auth: 'user', input: ToggleInput, audit: 'monitor.audit.toggled', rate: 'write' })
  async toggle({ id, enabled }: ToggleInput, ctx: CallContext): Promise<SuccessReply> {
    await this.repository.toggle(id, enabled, ctx.user!);
    return new SuccessReply('monitor.changed');
  }

  @Operation({ side: 'user', gn: 'monitor_del', auth: 'user', input: MonitorInput, audit: 'monitor.audit.deleted', rate: 'write' })
  async remove({ id }: MonitorInput, ctx: CallContext): Promise<SuccessReply> {
    await this.repository.remove(id, ctx.user!);
    return new SuccessReply('monitor.deleted');
  }

  /** Runs one check immediately without storing the result. */
  @Operation({ side: 'user', gn: 'monitor_test', auth: 'user', input: MonitorInput, audit: 'monitor.audit.tested', rate: 'expensive' })
  async test({ id }: MonitorInput, ctx: CallContext): Promise<SuccessReply> {
    return testReply(await this.checks.run(await this.repository.find(id, ctx.user!)), localeOf(ctx.locale));
  }

  /** Creates a new push address. */
  @Operation({ side: 'user', gn: 'monitor_push', auth: 'user', input: MonitorInput, audit: 'monitor.audit.push_renewed', rate: 'write' })
  async renewPush({ id }: MonitorInput, ctx: CallContext): Promise<SuccessReply> {
    return new SuccessReply('monitor.push_renewed', { push_url: await this.repository.renewPush(id, ctx.user!) });
  }

  @Operation({ side: 'user', gn: 'monitor_log_list', auth: 'user', input: MonitorLogInput, audit: null, rate: 'read' })
  async logs({ id, page, page_size, limit }: MonitorLogInput, ctx: CallContext): Promise<RawReply> {
    const size = page_size ?? limit ?? 20;
    if (id > 0) await this.repository.find(id, ctx.user!);
    const { total, checks } = await this.log.page(id > 0 ? { taskId: id } : { accountId: ctx.user!.id }, page, size);
    const logs = checks.map((check) => checkWire(check, localeOf(ctx.locale), this.config.timezone));
    const pages = Math.max(1, Math.ceil(total / size));
    return new ChecksReply(dataBody(ctx, { logs, total, page, page_size: size, total_pages: pages, task_id: id }), total, logs);
  }

  @Operation({ side: 'user', gn: 'monitor_stat', auth: 'user', input: MonitorStatInput, audit: null, rate: 'read' })
  async stat({ id, range }: MonitorStatInput, ctx: CallContext): Promise<RawReply> {
    await this.repository.find(id, ctx.user!);
    const [uptime, points] = await Promise.all([this.stats.uptimes(id), this.stats.points(id, range)]);
    return data(ctx, { uptime, range, points: pointsWire(points, this.config.timezone) });
  }
}

/** `msg` contains the data instead of a text, as older single-page themes expect. */
const data = (ctx: CallContext, msg: object): RawReply => new RawReply(dataBody(ctx, msg));

const dataBody = (ctx: CallContext, msg: object): object => ({
  success: true,
  qk: 1,
  code: translate(localeOf(ctx.locale), 'monitor.read'),
  msg,
});

/** Checks in the older format, plus rows and total for lists. */
class ChecksReply extends RawReply {
  constructor(
    body: object,
    readonly total: number,
    readonly rows: readonly object[],
  ) {
    super({ ...body, total, rows });
  }
}
