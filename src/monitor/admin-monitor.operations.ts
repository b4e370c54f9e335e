import { Injectable } from '@nestjs/common';

import { localeOf } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { ListInput, ListReply, Operation, RowIdOrZero, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import {
  MonitorRepository,
  MonitorInput,
  MonitorList,
  MonitorListInput,
  MonitorLog,
  SaveMonitorInput,
  ToggleInput,
  checkWire,
  monitorWire,
} from './records/index.js';
import { Checks } from './checks/index.js';
import { MonitorStats, pointsWire } from './stats/index.js';
import { savedReply } from './saved-reply.js';
import { testReply } from './test-reply.js';
import { MonitorStatInput } from './user-monitor.operations.js';

class MonitorLogListInput extends ListInput {
  /** Id of a monitor; 0 for all. */
  @RowIdOrZero() id = 0;
}

/** Operations on all monitors, including those of the installation. Source: docs/panel-api.md "Monitors". */
@Injectable()
export class AdminMonitorOperations {
  constructor(
    private readonly repository: MonitorRepository,
    private readonly all: MonitorList,
    private readonly log: MonitorLog,
    private readonly stats: MonitorStats,
    private readonly checks: Checks,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listjk', auth: 'admin', input: MonitorListInput, audit: null, rate: 'read' })
  async list(input: MonitorListInput, ctx: CallContext): Promise<ListReply> {
    const { total, tasks } = await this.all.page(input);
    return new ListReply(
      total,
      tasks.map((task) => monitorWire(task, localeOf(ctx.locale), this.config.timezone)),
    );
  }

  @Operation({ side: 'admin', gn: 'jksj', auth: 'admin', input: MonitorStatInput, audit: null, rate: 'read' })
  async show({ id, range }: MonitorStatInput, ctx: CallContext): Promise<SuccessReply> {
    const task = await this.repository.find(id, 'admin');
    const [uptime, points] = await Promise.all([this.stats.uptimes(id), this.stats.points(id, range)]);
    const { timezone } = this.config;
    return new SuccessReply('monitor.read', {
      monitor: monitorWire(task, localeOf(ctx.locale), timezone),
      uptime,
      range,
      points: pointsWire(points, timezone),
    });
  }

  /** A new monitor belongs to the installation and notifies its administrators. */
  @Operation({ side: 'admin', gn: 'jkbc', auth: 'admin', input: SaveMonitorInput, audit: 'monitor.audit.saved', rate: 'write' })
  async save(input: SaveMonitorInput): Promise<SuccessReply> {
    return savedReply(await this.repository.save(input, 'admin'));
  }

  @Operation({ side: 'admin', gn: 'jkkg', auth: 'admin', input: ToggleInput, audit: 'monitor.audit.toggled', rate: 'write' })
  async toggle({ id, enabled }: ToggleInput): Promise<SuccessReply> {
    await this.repository.toggle(id, enabled, 'admin');
    return new SuccessReply('monitor.changed');
  }

  @Operation({ side: 'admin', gn: 'jksc', auth: 'admin', input: MonitorInput, audit: 'monitor.audit.deleted', rate: 'write' })
  async remove({ id }: MonitorInput): Promise<SuccessReply> {
    await this.repository.remove(id, 'admin');
    return new SuccessReply('monitor.deleted');
  }

  @Operation({ side: 'admin', gn: 'jkcs', auth: 'admin', input: MonitorInput, audit: 'monitor.audit.tested', rate: 'expensive' })
  async test({ id }: MonitorInput, ctx: CallContext): Promise<SuccessReply> {
    return testReply(await this.checks.run(await this.repository.find(id, 'admin')), localeOf(ctx.locale));
  }

  @Operation({ side: 'admin', gn: 'jkts', auth: 'admin', input: MonitorInput, audit: 'monitor.audit.push_renewed', rate: 'write' })
  async renewPush({ id }: MonitorInput): Promise<SuccessReply> {
    return new SuccessReply('monitor.push_renewed', { push_url: await this.repository.renewPush(id, 'admin') });
  }

  @Operation({ side: 'admin', gn: 'listjkrz', auth: 'admin', input: MonitorLogListInput, audit: null, rate: 'read' })
  async logs({ id, page, limit }: MonitorLogListInput, ctx: CallContext): Promise<ListReply> {
    const { total, checks } = await this.log.page(id > 0 ? { taskId: id } : {}, page, limit);
    return new ListReply(
      total,
      checks.map((check) => checkWire(check, localeOf(ctx.locale), this.config.timezone)),
    );
  }
}
