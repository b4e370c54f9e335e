import { Controller } from '@nestjs/common';

import { ACTIVITY_MENU, Page, defineList } from '../web/index.js';

const JOBS = defineList({
  id: 'jobs',
  operation: 'jhlist',
  empty: 'script.empty',
  columns: [
    {
      field: 'mc',
      title: 'jobs.name',
      kind: 'named',
      notes: [
        { text: (row) => String(row.cw ?? ''), tone: 'danger' },
        { text: (row, translate) => (row.jc ? translate('jobs.process', { process: String(row.jc) }) : '') },
      ],
    },
    { field: 'jh', title: 'jobs.plan', whole: true },
    {
      field: 'zt',
      title: 'jobs.state',
      kind: 'badge',
      badges: {
        never: ['secondary', 'jobs.never'],
        running: ['blue', 'jobs.running'],
        ok: ['green', 'jobs.ok'],
        failed: ['red', 'jobs.failed'],
      },
    },
    { field: 'date', title: 'jobs.last', kind: 'moment' },
    { field: 'hs', title: 'jobs.duration', whole: true },
    { field: 'sl', title: 'jobs.items' },
    { field: 'xc', title: 'jobs.next', kind: 'moment' },
  ],
  actions: [{ label: 'jobs.run', when: (row) => row.zt !== 'running', operation: 'jhrun' }],
});

/** Page of scheduled jobs. */
@Controller()
export class JobPages {
  @Page({ side: 'admin', path: 'jobs', plain: true, title: 'monitor.menu.jobs', menu: { under: ACTIVITY_MENU, order: 40 }, lists: [JOBS] })
  jobs(): object {
    return {};
  }
}
