import { Controller } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { ACTIVITY_MENU, Page, defineList } from '../web/index.js';

const LIMITS = defineList({
  id: 'limits',
  operation: 'sxlist',
  empty: 'limits.empty',
  keyword: 'ip',
  filters: [{ field: 'xz', label: 'limits.state', choices: [['true', 'limits.held']] }],
  columns: [
    { field: 'ip', title: 'limits.ip', kind: 'code', whole: true },
    {
      field: 'lx',
      title: 'limits.kind',
      kind: 'named',
      notes: [{ text: (row, say) => (row.zd ? say('limits.at_most', { n: String(row.zd) }) : '') }],
    },
    { field: 'zh', title: 'limits.who', kind: 'code' },
    { field: 'cs', title: 'limits.count' },
    {
      field: 'xz',
      title: 'limits.state',
      kind: 'badge',
      badges: { true: ['red', 'limits.held'], false: ['secondary', 'limits.open'] },
    },
    { field: 'date', title: 'limits.until', kind: 'moment' },
  ],
  actions: [
    { label: 'limits.reset', operation: 'sxcz', confirm: 'limits.reset_confirm' },
    {
      label: 'limits.reset_address',
      operation: 'sxcz',
      when: (row) => row.ip !== '',
      fields: (row) => ({ ip: String(row.ip).replace(/\/64$/, '') }),
      confirm: 'limits.reset_address_confirm',
    },
  ],
});

/** Page of rate limits. */
@Controller()
export class LimitPages {
  constructor(private readonly config: AppConfig) {}

  @Page({
    side: 'admin',
    path: 'limits',
    title: 'account.menu.limits',
    menu: { under: ACTIVITY_MENU, order: 24 },
    lists: [LIMITS],
  })
  limits(): object {
    return { is_off: !this.config.rateLimit };
  }
}
