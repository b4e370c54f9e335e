import { Controller } from '@nestjs/common';

import { legacyTime, localeOf, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, defineList } from '../../web/index.js';
import { type BulkOrder, type BulkReport, HostBulk } from '../bulk/index.js';

const OUTCOMES = defineList({
  id: 'outcomes',
  operation: 'listzjpl',
  given: ['rw'],
  empty: 'bulk.empty',
  columns: [
    { field: 'user', title: 'hosts.user', whole: true },
    {
      field: 'zt',
      title: 'bulk.result',
      kind: 'badge',
      badges: {
        waiting: ['secondary', 'bulk.state_waiting'],
        done: ['green', 'bulk.state_done'],
        failed: ['red', 'bulk.state_failed'],
        unknown: ['secondary', 'bulk.state_unknown'],
      },
    },
    { field: 'yy', title: 'bulk.reason' },
  ],
});

/** Page of a bulk action on hosts, with its outcome for each. */
@Controller()
export class HostBulkPages {
  constructor(
    private readonly bulk: HostBulk,
    private readonly config: AppConfig,
  ) {}

  @Page({ side: 'admin', path: 'host-bulk', title: 'hosting.menu.host_bulk', lists: [OUTCOMES] })
  async page({ admin, locale, query }: RequestContext): Promise<object> {
    const task = await this.bulk.find(admin!.username, query.rw || undefined);
    if (!task) return { task: null };
    const { deed: action, items } = task.payload as BulkOrder;
    const report = task.state === 'done' ? (task.result as BulkReport | null) : null;
    return {
      task: {
        id: task.id,
        running: task.state === 'waiting' || task.state === 'running',
        deed: translate(localeOf(locale), `hosting.bulk_deed_${action}`),
        total: items.length,
        through: task.progress?.done ?? 0,
        date: task.endedAt ? legacyTime(task.endedAt, this.config.timezone) : '',
        report: report && { done: report.done, failed: report.failed },
      },
    };
  }
}
