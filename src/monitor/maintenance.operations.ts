import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { versionOf } from '../http/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../operations/index.js';

import { Maintenance, MonitorInput, WindowInput } from './records/index.js';
import { isOpen } from './states/windows.js';

/** Administrators' operations on maintenance windows. Source: docs/panel-api.md "Monitors". */
@Injectable()
export class MaintenanceOperations {
  constructor(
    private readonly windows: Maintenance,
    private readonly clock: Clock,
  ) {}

  @Operation({ side: 'admin', gn: 'listjkwh', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput): Promise<ListReply> {
    const now = this.clock.now();
    const windows = await this.windows.list();
    const rows = windows.slice((page - 1) * limit, page * limit).map((window) => ({
      id: window.id,
      ...this.windows.formOf(window),
      row_version: versionOf(this.windows.formOf(window)),
      state: isOpen(window, now) ? 'open' : window.repeats === 'once' && window.endsAt <= now ? 'over' : 'waits',
    }));
    return new ListReply(windows.length, rows);
  }

  /** @throws StaleForm */
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
