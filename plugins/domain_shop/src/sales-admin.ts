import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { between, searchOf } from '@svc/gateway-kit';
import {
  amountText,
  defineList,
  html,
  NamesService,
  OrdersService,
  SVC_FACADE,
  type AjaxResult,
  type CallContext,
  type ListDeclaration,
  type SvcFacade,
  type WidgetRecord,
} from '@svc/sdk';

import { shownName } from './layout.js';
import { Sales, type Sale, type SaleState } from './sales.js';

type Badges = NonNullable<ListDeclaration['columns'][number]['badges']>;

const STATES: Badges = {
  pending: ['yellow', 'sale_pending'],
  done: ['green', 'sale_done'],
  gone: ['red', 'sale_gone'],
  refunded: ['secondary', 'sale_refunded'],
  closed: ['secondary', 'sale_closed'],
};
const KINDS: Badges = { buy: ['blue', 'kind_buy'], renew: ['azure', 'kind_renew'] };
/** How far the list of expiring names looks ahead. */
const AHEAD_MS = 30 * 86_400_000;

const SALES = defineList({
  id: 'sales',
  operation: 'p_domain_sales',
  sort: '-id',
  empty: 'sales_none',
  search: [['name', 'name']],
  filters: [
    { field: 'state', label: 'state', choices: (['pending', 'done', 'gone'] as const).map((state) => [state, STATES[state]![1]] as const) },
  ],
  columns: [
    { field: 'name', title: 'name', kind: 'named', href: (row) => (row.paid ? `/admin/order?ddh=${String(row.order_no)}` : '') },
    { field: 'kind', title: 'kind', kind: 'badge', badges: KINDS },
    { field: 'buyer', title: 'buyer' },
    { field: 'rmb', title: 'price', kind: 'money' },
    { field: 'state', title: 'state', kind: 'badge', badges: STATES },
    { field: 'remark', title: 'remark', kind: 'brief' },
  ],
  actions: [
    { label: 'refund', when: (row) => row.state === 'gone', tone: 'primary', href: (row) => `/admin/order?ddh=${String(row.order_no)}` },
  ],
});

const DUE = defineList({
  id: 'due',
  beside: true,
  operation: 'p_domain_due',
  empty: 'due_none',
  columns: [
    { field: 'name', title: 'name', kind: 'named' },
    { field: 'user', title: 'host' },
    { field: 'dqtime', title: 'last_day', kind: 'expiry' },
    { field: 'ends', title: 'taken_on', kind: 'moment' },
  ],
});

/** Sales, expiring names and due refunds, for administrators. */
@Injectable()
export class SalesAdmin implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Sales) private readonly sales: Sales,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(NamesService) private readonly names: NamesService,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_page('admin', 'sales', 'pages/sales.liquid', 'menu_sales', { lists: [SALES, DUE] });
    svc.svc_register_menu('admin', {
      title: 'menu_shop',
      icon: 'mdi-domain',
      order: 61,
      children: [
        { title: 'menu_sales', page: 'sales' },
        { title: 'menu_zones', url: '/admin/zones' },
        { title: 'menu_names', url: '/admin/sold-names' },
      ],
    });
    svc.svc_register_menu('user', { title: 'menu_buy', icon: 'mdi-domain', url: '/domain', order: 16 });
    svc.svc_register_widget('admin', 'main', (ctx) => this.widget(ctx));
    svc.svc_register_ajax('admin', 'p_domain_sales', (ctx) => this.sold(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_domain_due', (ctx) => this.due(ctx), 'admin', { rate: 'read' });
  }

  private async sold(ctx: CallContext): Promise<AjaxResult> {
    const { state = '' } = ctx.body;
    const only = ['pending', 'done', 'gone'].includes(state) ? (state as SaleState) : null;
    const { at, size } = pageOf(ctx);
    const { total, rows } = await this.sales.page(only, searchedName(ctx.body.where), at, size);
    return { total, rows: await Promise.all(rows.map((row) => this.row(row))) };
  }

  private async row(sale: Sale): Promise<object> {
    const { id, order_no, kind, name, buyer, amount, remark, ordered_at } = sale;
    const paid = !order_no.startsWith('free-');
    const rmb = amountText(amount);
    return {
      id,
      order_no,
      paid,
      kind,
      name: shownName(name),
      buyer,
      rmb,
      state: await this.stateOf(sale, paid),
      remark: remark || '–',
      date: ordered_at,
    };
  }

  private async stateOf({ order_no, state }: Sale, paid: boolean): Promise<string> {
    const status = paid && state !== 'done' ? (await this.orders.get(order_no))?.status : undefined;
    if (state === 'gone') return status === 'refunded' ? 'refunded' : 'gone';
    return state === 'pending' && status !== 'unpaid' && status !== 'paid' ? 'closed' : state;
  }

  private async due(ctx: CallContext): Promise<AjaxResult> {
    const { at, size } = pageOf(ctx);
    const day = new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 10);
    const { total, names } = await this.names.due(day, at / size + 1, size);
    return {
      total,
      rows: names.map((name) => ({
        id: name.id,
        name: shownName(name.name),
        user: name.user || '–',
        dqtime: name.expiresOn,
        ends: name.endsOn,
      })),
    };
  }

  private async widget(ctx: CallContext): Promise<WidgetRecord | null> {
    const { total } = await this.sales.page('done', '', 0, 1);
    const open = await this.refundsDue();
    if (total === 0 && open === 0) return null;
    return {
      title: ctx.t('widget_title'),
      width: 4,
      html: String(html`<p class="h1 mb-1">${total}</p>
        <p class="${open ? 'text-danger' : 'text-secondary'} mb-0">${open ? ctx.t('widget_refunds', { n: open }) : ctx.t('widget_fine')}</p>
        <p class="mt-2 mb-0">
        <a href="/admin/plugin.php?p=domain_shop&page=sales${open ? '&sales.state=gone' : ''}">${ctx.t('menu_sales')}</a>
          </p>`),
    };
  }

  /** Counts undeliverable orders that were not refunded. */
  private async refundsDue(): Promise<number> {
    const orders = await Promise.all((await this.sales.gone()).map((orderNo) => this.orders.get(orderNo)));
    return orders.filter((order) => order?.status === 'paid' || order?.status === 'partly_refunded').length;
  }
}

function pageOf({ body }: CallContext): { at: number; size: number } {
  const size = between(body.limit, 1, 200, 20);
  return { at: (between(body.page, 1, 1_000_000, 1) - 1) * size, size };
}

/** Search text for names. */
function searchedName(where: string | undefined): string {
  const { name, value } = searchOf(where);
  return name === 'name' ? value.trim().toLowerCase().slice(0, 64) : '';
}
