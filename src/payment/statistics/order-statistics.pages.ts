import { Controller } from '@nestjs/common';

import { AppError, translate } from '../../common/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../../operations/index.js';
import { currency } from '../../sdk/index.js';
import { ThemeRenderer } from '../../theme/index.js';
import { Page, type Chart } from '../../web/index.js';
import { sceneWords } from '../orders/index.js';

interface Statistics {
  readonly days: readonly { readonly day: string; readonly n: number; readonly rmb: string }[];
  readonly scenes: readonly { readonly scene: string }[];
}

/** Page of income statistics. */
@Controller()
export class OrderStatisticsPages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly themes: ThemeRenderer,
  ) {}

  @Page({ side: 'admin', path: 'order-statistics', title: 'payment.menu.order_statistics', needs: ['ddtj'] })
  async statistics(call: RequestContext): Promise<object> {
    const { from = '', to = '' } = call.query;
    try {
      const found = ((await this.pipeline.show('admin', 'ddtj', { from, to }, call)) as SuccessReply).extras as unknown as Statistics;
      const scenes = found.scenes.map((part) => ({ ...part, lxmc: sceneWords(part.scene, call.locale) }));
      return { ...found, scenes, chart: this.chart(found, call) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { from, to, problem: translate(call.locale, error.shape.text, error.params) };
    }
  }

  /** Returns undefined without payments, because an empty chart is useless. */
  private chart({ days }: Statistics, { locale }: RequestContext): Chart | undefined {
    if (days.every(({ n }) => n === 0)) return undefined;
    const say = this.themes.translator('admin', locale);
    return {
      title: say('order_stats.paid'),
      label: say('order_stats.day'),
      series: [
        { title: say('orders.amount'), kind: 'bar' },
        { title: say('order_stats.orders'), kind: 'line' },
      ],
      rows: days.map(({ day, n, rmb }) => ({
        label: day.slice(5),
        values: [
          { number: Number(rmb), text: `${currency().sign}${rmb}` },
          { number: n, text: String(n) },
        ],
      })),
    };
  }
}
