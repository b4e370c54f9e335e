import { Controller } from '@nestjs/common';

import { Page, defineList } from '../../web/index.js';
import { NOTICES_MENU } from '../notices-menu.js';

const DELIVERIES = defineList({
  id: 'deliveries',
  operation: 'listtdjl',
  empty: 'deliveries.empty',
  keyword: 'ss',
  filters: [
    {
      field: 'zt',
      label: 'deliveries.state',
      choices: [
        ['waiting', 'deliveries.waiting'],
        ['sent', 'deliveries.sent'],
        ['failed', 'deliveries.failed'],
        ['dropped', 'deliveries.dropped'],
      ],
    },
  ],
  columns: [
    { field: 'title', title: 'deliveries.what', kind: 'named', notes: [{ text: (row) => String(row.cw ?? ''), tone: 'danger' }] },
    { field: 'user', title: 'notices.user', whole: true },
    { field: 'lxmc', title: 'deliveries.way', whole: true },
    { field: 'target', title: 'deliveries.target' },
    {
      field: 'zt',
      title: 'deliveries.state',
      kind: 'badge',
      badges: {
        waiting: ['blue', 'deliveries.waiting'],
        sent: ['green', 'deliveries.sent'],
        failed: ['red', 'deliveries.failed'],
        dropped: ['secondary', 'deliveries.dropped'],
      },
    },
    { field: 'cs', title: 'deliveries.attempts' },
    { field: 'created_at', title: 'notices.date', kind: 'moment' },
    { field: 'ended_at', title: 'deliveries.ended', kind: 'moment' },
  ],
  actions: [
    {
      label: 'deliveries.again',
      when: (row) => row.zt === 'failed' || row.zt === 'sent',
      operation: 'tdcf',
      confirm: 'deliveries.again_confirm',
    },
  ],
});

/** Page of sent messages. */
@Controller()
export class DeliveryPages {
  @Page({
    side: 'admin',
    path: 'deliveries',
    title: 'notify.menu.deliveries',
    menu: { under: NOTICES_MENU, order: 50 },
    lists: [DELIVERIES],
  })
  deliveries(): object {
    return {};
  }
}
