import { Controller } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { Page, PageMissing, type Chart } from '../web/index.js';

/** Paid amounts of a made-up week, in yuan. */
const SAMPLE_WEEK = [120, 80, 0, 240, 160, 310, 90];

/** Every component of the default theme in use, light and dark: for who writes pages and themes. Not there on a panel others can reach. */
@Controller()
export class ComponentPages {
  constructor(private readonly config: AppConfig) {}

  @Page({ side: 'admin', path: 'components', title: 'theme.menu.components' })
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
          { number: amount, text: `¥${amount}.00` },
          { number: Math.ceil(amount / 50), text: String(Math.ceil(amount / 50)) },
        ],
      })),
    };
    return { chart };
  }
}
