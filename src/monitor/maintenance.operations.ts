import { Injectable } from '@nestjs/common';

import { Clock, legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../operations/index.js';

import { Maintenance, MonitorInput, WindowInput } from './book/index.js';
import { isOpen } from './states/windows.js';

/** Times in which monitors rest and nobody is told. Source: docs/panel-api.md "Monitors". */
@Injectable()
export class MaintenanceOperations {
  constructor(
    private readonly windows: Maintenance,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listjkwh', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput): Promise<ListReply> {
    const now = this.clock.now();
    const { timezone } = this.config;
    const windows = await this.windows.list();
    const rows = windows.slice((page - 1) * limit, page * limit).map((window) => ({
      id: window.id,
      title: window.title,
      user: window.user,
      tag: window.tag,
      repeats: window.repeats,
      starts_at: legacyTime(window.startsAt, timezone),
      ends_at: legacyTime(window.endsAt, timezone),
      state: isOpen(window, now) ? 'open' : window.repeats === 'once' && window.endsAt <= now ? 'over' : 'waits',
    }));
    return new ListReply(windows.length, rows);
  }

  @Operation({ side: 'admin', gn: 'jkwh', auth: 'admin', input: WindowInput, audit: 'monitor.audit.window', rate: 'write' })
  async save(input: WindowInput): Promise<SuccessReply> {
    await this.windows.save(input);
    return new SuccessReply('monitor.saved');
  }

  @Operation({ side: 'admin', gn: 'jkwhsc', auth: 'admin', input: MonitorInput, audit: 'monitor.audit.window_deleted', rate: 'write' })
  async remove({ id }: MonitorInput): Promise<SuccessReply> {
    await this.windows.remove(id);
    return new SuccessReply('monitor.deleted');
  }
}
