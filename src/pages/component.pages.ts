import { Controller } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { moneyText } from '../sdk/index.js';
import { Page, PageMissing, defineList, type Chart } from '../web/index.js';

/** Paid amounts of a made-up week, in yuan. */
const SAMPLE_WEEK = [120, 80, 0, 240, 160, 310, 90];

/** A list over an operation every administrator has rows of: the own sign-ins. */
const SAMPLE_LIST = defineList({
  id: 'sample',
  operation: 'listhh',
  whole: true,
  empty: 'script.empty',
  columns: [
    { field: 'ip', title: 'sessions.ip', kind: 'code' },
    {
      field: 'current',
      title: 'sessions.state',
      kind: 'badge',
      badges: { true: ['green', 'sessions.this_one'], false: ['secondary', 'sessions.elsewhere'] },
    },
    { field: 'date', title: 'sessions.since', kind: 'moment' },
  ],
  actions: [{ label: 'sessions.revoke', when: (row) => String(row.current) !== 'true', operation: 'hhsc' }],
});

/** A field of every kind, as plugins declare them. */
const SAMPLE_FIELDS = ['text', 'textarea', 'select', 'switch', 'password', 'number', 'email', 'date'].map((type) => ({
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

  @Page({ side: 'admin', path: 'components', title: 'theme.menu.components', lists: [SAMPLE_LIST] })
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
    return { chart, sample_fields: SAMPLE_FIELDS };
  }
}
