import { Controller } from '@nestjs/common';

import { BackgroundQueue, TASK_STATES } from '../jobs/index.js';
import { ACTIVITY_MENU, Page, defineList } from '../web/index.js';

const TASKS = defineList({
  id: 'tasks',
  operation: 'rwlist',
  empty: 'background.empty',
  filters: [{ field: 'zt', label: 'background.state', choices: TASK_STATES.map((state) => [state, `background.${state}`] as const) }],
  columns: [
    {
      field: 'mc',
      title: 'background.name',
      kind: 'named',
      notes: [
        { text: (row) => String(row.cw ?? ''), tone: 'danger' },
        { text: (row, say) => (row.xc ? say('background.next', { date: String(row.xc) }) : ''), at: (row) => String(row.xc) },
        { text: (row, say) => (row.czuser ? say('background.by', { name: String(row.czuser) }) : '') },
      ],
    },
    {
      field: 'zt',
      title: 'background.state',
      kind: 'badge',
      badges: {
        waiting: ['secondary', 'background.waiting'],
        unhandled: ['yellow', 'background.unhandled'],
        running: ['blue', 'background.running'],
        stopping: ['yellow', 'background.stopping'],
        done: ['green', 'background.done'],
        failed: ['red', 'background.failed'],
        cancelled: ['secondary', 'background.cancelled'],
      },
    },
    { field: 'jd', title: 'background.progress', kind: 'progress' },
    { field: 'cs', title: 'background.attempts' },
    { field: 'date', title: 'background.added', kind: 'moment' },
    { field: 'hs', title: 'background.duration', whole: true },
  ],
  actions: [
    {
      label: 'background.cancel',
      tone: 'danger',
      when: ({ zt }) => ['waiting', 'unhandled', 'running'].includes(String(zt)),
      operation: 'rwqx',
      confirm: 'background.cancel_confirm',
    },
    { label: 'background.retry', tone: 'primary', when: ({ zt }) => ['failed', 'cancelled'].includes(String(zt)), operation: 'rwcs' },
  ],
});

/** Page of background tasks. */
@Controller()
export class TaskPages {
  constructor(private readonly queue: BackgroundQueue) {}

  @Page({ side: 'admin', path: 'background', title: 'monitor.menu.background', menu: { under: ACTIVITY_MENU, order: 50 }, lists: [TASKS] })
  async background(): Promise<object> {
    const { total } = await this.queue.list({ state: 'running' }, { page: 1, limit: 1 });
    // Short refresh interval only while tasks run, for their progress bars.
    return { seconds: total > 0 ? 2 : 10, away: !this.queue.available };
  }
}
