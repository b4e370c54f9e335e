import { Controller } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ACTIVITY_MENU, defineList, Page } from '../../web/index.js';

import { Repairs } from './repairs.js';

const LINES = defineList({
  id: 'repairs',
  operation: 'xflist',
  whole: true,
  empty: 'repairs.empty',
  columns: [
    { field: 'mc', title: 'repairs.kind', whole: true },
    {
      field: 'zt',
      title: 'health.state',
      kind: 'badge',
      badges: {
        would: ['blue', 'repairs.would'],
        done: ['green', 'repairs.done'],
        left: ['secondary', 'repairs.left'],
        failed: ['red', 'repairs.failed'],
      },
    },
    { field: 'nr', title: 'health.found' },
  ],
});

/** Page of the available repairs and the latest run. */
@Controller()
export class RepairPages {
  constructor(
    private readonly repairs: Repairs,
    private readonly config: AppConfig,
  ) {}

  @Page({
    side: 'admin',
    path: 'repairs',
    title: 'health.menu.repairs',
    menu: { under: ACTIVITY_MENU, order: 6 },
    lists: [LINES],
  })
  async page(): Promise<object> {
    const last = await this.repairs.last();
    return {
      running: await this.repairs.isRunning(),
      last: last && {
        is_repair: last.report.isRepair,
        fields: JSON.stringify({ xx: JSON.stringify(last.report.repairs), xe: 'true' }),
        counts: last.report.counts,
        more: Object.values(last.report.counts).reduce((all, count) => all + count, 0) - last.report.lines.length,
        date: last.endedAt ? legacyTime(last.endedAt, this.config.timezone) : '',
      },
    };
  }
}
