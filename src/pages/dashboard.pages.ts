import { Controller } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { toYuan, type Locale } from '../common/index.js';
import { DeadLetters } from '../hooks/index.js';
import { Permissions, type RequestContext } from '../operations/index.js';
import { sceneWords } from '../payment/index.js';
import { moneyText } from '../sdk/index.js';
import { ThemeRenderer } from '../theme/index.js';
import { Page, type Chart } from '../web/index.js';

import { BusinessNumbers, type Business, type Sold } from './business-numbers.js';
import { DashboardCards } from './dashboard-cards.js';
import { DashboardNumbers } from './dashboard-numbers.js';
import { SetupGuide } from './setup-guide.js';

/** Selectable periods in days, and the default. */
const RANGES = [7, 30, 90];
const DEFAULT_RANGE = 30;
/** Permissions required for the panel's figures. */
const NUMBERS_NEED = ['listzj', 'listbt', 'listdd'];

/** Start page of the admin side: an overview of all features. */
@Controller()
export class DashboardPages {
  constructor(
    private readonly numbers: DashboardNumbers,
    private readonly business: BusinessNumbers,
    private readonly deadLetters: DeadLetters,
    private readonly cards: DashboardCards,
    private readonly guide: SetupGuide,
    private readonly themes: ThemeRenderer,
    private readonly permissions: Permissions,
  ) {}

  @Page({
    side: 'admin',
    path: '',
    view: 'index',
    title: 'theme.menu.admin_home',
    menu: { icon: 'mdi-view-dashboard-outline', order: 10 },
    needs: [],
  })
  async dashboard(call: RequestContext): Promise<object> {
    const access = accessOf(call.admin);
    const may = (...names: string[]): boolean => names.every((name) => this.permissions.may(access, name));
    const seesAll = access.servers === null && may(...NUMBERS_NEED);
    const range = RANGES.find((days) => String(days) === call.query.days) ?? DEFAULT_RANGE;
    const [stats, orders, business, widgets, deadLetters, guide] = await Promise.all([
      seesAll ? this.numbers.stats() : undefined,
      seesAll ? this.numbers.latestOrders() : undefined,
      seesAll ? this.business.last(range) : undefined,
      this.cards.of(call, access),
      may('listsj') ? this.deadLetters.count() : 0,
      access.isFull ? this.guide.view(call) : undefined,
    ]);
    return {
      stats,
      orders,
      business: business && { ...business, sold: inWords(business.sold, call.locale), range, ranges: RANGES, days: undefined },
      chart: business && this.incomeChart(call, business),
      widgets,
      guide,
      dead_letters: deadLetters,
      notices: access.isFull ? this.themes.themeNotices() : [],
    };
  }

  /** Returns undefined without payments, because an empty chart is useless. */
  private incomeChart({ locale }: RequestContext, { days }: Business): Chart | undefined {
    if (days.every(({ orders, refunded }) => orders === 0 && refunded === 0)) return undefined;
    const say = this.themes.translator('admin', locale);
    return {
      title: say('dashboard.income_days'),
      label: say('dashboard.day'),
      series: [
        { title: say('dashboard.income'), kind: 'bar' },
        { title: say('dashboard.paid_orders'), kind: 'line' },
      ],
      rows: days.map(({ day, income, refunded, orders }) => ({
        label: day.slice(5),
        values: [
          { number: Number(toYuan(income - refunded)), text: moneyText(income - refunded) },
          { number: orders, text: String(orders) },
        ],
      })),
    };
  }
}

/** Adds display names to sales. */
function inWords(sold: readonly Sold[], locale: Locale): object[] {
  return sold.map((one) => ({ ...one, words: one.name || sceneWords(one.scene, locale) }));
}
