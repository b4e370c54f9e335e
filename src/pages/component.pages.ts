import { Controller } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { moneyText } from '../sdk/index.js';
import { Page, PageMissing, defineList, type Chart } from '../web/index.js';

/** Paid amounts of a made-up week, in yuan. */
const SAMPLE_WEEK = [120, 80, 0, 240, 160, 310, 90];

/** Lists over an operation every panel has rows of, one for each half of the page, with all that lists can have. */
const SAMPLE_LISTS = ['light', 'dark'].map((half) =>
  defineList({
    id: `sample-${half}`,
    operation: 'listlog',
    sort: '-date',
    empty: 'script.empty',
    search: [
      ['czuser', 'log.who'],
      ['ip', 'log.ip'],
    ],
    filters: [{ field: 'lx', label: 'log.kind', choices: [['sign_in', 'account.deed.登陆']] }],
    columns: [
      { field: 'lxmc', title: 'log.kind', kind: 'named', notes: [{ text: (row) => String(row.czuser), tone: 'code' }] },
      { field: 'date', title: 'log.date', sortable: true, kind: 'moment' },
    ],
    actions: [{ label: 'log.details', href: (row) => `/admin/log-line?id=${encodeURIComponent(String(row.id))}` }],
    bulk: [{ label: 'log.delete', operation: 'logscxz', field: 'idsz', confirm: 'log.delete_many_confirm', tone: 'danger' }],
  }),
);

/** A field of every kind, as plugins declare them. */
const SAMPLE_FIELDS = ['text', 'textarea', 'select', 'switch', 'checkbox', 'password', 'number', 'email', 'date'].map((type) => ({
  name: type,
  label: type,
  type,
  required: type === 'text',
  options: ['a', 'b'],
}));

/** Every component of the default theme in use, light and dark: for who writes pages and themes. Not there on a panel others can reach. */
@Controller()
export class ComponentPages {
  constructor(private readonly config: AppConfig) {}

  @Page({ side: 'admin', path: 'components', title: 'theme.menu.components', lists: SAMPLE_LISTS })
  components(): object {
    if (this.config.exposedBy !== null) throw new PageMissing();
    const chart: Chart = {
      title: 'chart',
      label: 'label',
      series: [
        { title: 'bar', kind: 'bar' },
        { title: 'line', kind: 'line' },
      ],
      rows: SAMPLE_WEEK.map((amount, at) => ({
        label: `2026-01-0${at + 1}`,
        values: [
          { number: amount, text: moneyText(amount * 100) },
          { number: Math.ceil(amount / 50), text: String(Math.ceil(amount / 50)) },
        ],
      })),
    };
    return { chart, sample_fields: SAMPLE_FIELDS, sample_time: new Date() };
  }
}
