import { Controller } from '@nestjs/common';

import { Page, defineList } from '../../web/index.js';

const PAGES = defineList({
  id: 'status-pages',
  operation: 'status_list',
  empty: 'status.customers_empty',
  search: [
    ['user', 'monitors.user'],
    ['title', 'status.page_title'],
    ['slug', 'status.address'],
  ],
  filters: [
    {
      field: 'state',
      label: 'status.state',
      choices: [
        ['public', 'status.page_public'],
        ['hidden', 'status.page_hidden'],
        ['off', 'status.page_off'],
      ],
    },
  ],
  columns: [
    { field: 'user', title: 'monitors.user', whole: true },
    { field: 'title', title: 'status.page_title', kind: 'named', notes: [{ text: (row) => String(row.off_reason ?? ''), tone: 'danger' }] },
    { field: 'slug', title: 'status.address' },
    {
      field: 'state',
      title: 'status.state',
      kind: 'badge',
      badges: {
        public: ['green', 'status.page_public'],
        hidden: ['secondary', 'status.page_hidden'],
        off: ['red', 'status.page_off'],
      },
    },
  ],
  actions: [
    { label: 'status.open', when: (row) => row.url !== '', href: (row) => String(row.url) },
    {
      label: 'status.switch_off',
      tone: 'danger',
      when: (row) => row.state !== 'off',
      dialog: 'status-off',
      operation: 'status_off',
      fills: ['id', 'title'],
    },
    { label: 'status.switch_on', when: (row) => row.state === 'off', operation: 'status_on', confirm: 'status.switch_on_confirm' },
  ],
});

/** Page of customers' status pages, where administrators can disable them. */
@Controller()
export class CustomerStatusPages {
  @Page({ side: 'admin', path: 'status-pages', title: 'monitor.menu.status_pages', lists: [PAGES] })
  all(): object {
    return {};
  }
}
