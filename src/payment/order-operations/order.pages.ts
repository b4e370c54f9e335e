import { Controller } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { ORDER_STATES } from '../../customers/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../../operations/index.js';
import type { Scope } from '../../sdk/index.js';
import { Page, PageMissing, defineList, type ListColumn, type ListFilter } from '../../web/index.js';
import { DayRange } from '../day-range.js';

const BY_STATE: ListFilter = {
  field: 'qk',
  label: 'orders.status',
  choices: Object.entries(ORDER_STATES).map(([state, [, label]]) => [state, label]),
};

const NUMBER: ListColumn = { field: 'ddh', title: 'orders.number', kind: 'code', sortable: true };
const COLUMNS: readonly ListColumn[] = [
  { field: 'name', title: 'orders.name' },
  { field: 'rmb', title: 'orders.amount', kind: 'money', sortable: true },
  { field: 'ffmc', title: 'orders.method' },
  { field: 'qk', title: 'orders.status', kind: 'badge', badges: ORDER_STATES },
  { field: 'date', title: 'orders.date', sortable: true, kind: 'moment' },
];

const ALL_ORDERS = defineList({
  id: 'orders',
  operation: 'listdd',
  sort: '-id',
  given: ['from', 'to', 'scene', 'tk'],
  narrowed: 'orders.narrowed',
  empty: 'orders.empty',
  search: [
    ['ddh', 'orders.number'],
    ['user', 'orders.user'],
    ['name', 'orders.name'],
  ],
  filters: [BY_STATE],
  totals: {
    operation: 'ddhj',
    figures: [
      ...Object.entries(ORDER_STATES).map(([state, [, title]]) => ({ field: state, title })),
      { field: 'rmb_paid', title: 'orders.sum_paid', kind: 'money' },
      { field: 'rmb_refunded', title: 'orders.sum_refunded', kind: 'money' },
      { field: 'rmb_unpaid', title: 'orders.sum_unpaid', kind: 'money' },
    ],
  },
  columns: [NUMBER, { field: 'user', title: 'orders.user', sortable: true }, ...COLUMNS],
  actions: [
    { label: 'orders.details', operation: 'ddsj', href: (row) => `/admin/order?id=${String(row.id)}` },
    {
      label: 'orders.delete',
      tone: 'danger',
      when: (row) => row.qk === 'unpaid' || row.qk === 'closed',
      operation: 'ddsc',
      confirm: 'orders.delete_confirm',
    },
  ],
  bulk: [
    { label: 'orders.make_receipts', operation: 'skdpl', field: 'idsz', confirm: 'orders.make_receipts_confirm' },
    { label: 'orders.delete', operation: 'ddscxz', field: 'idsz', confirm: 'orders.delete_many_confirm', tone: 'danger' },
  ],
});

const OWN_ORDERS = defineList({
  id: 'orders',
  operation: 'listdd',
  sort: '-id',
  empty: 'orders.empty',
  search: [
    ['ddh', 'orders.number'],
    ['name', 'orders.name'],
  ],
  filters: [BY_STATE],
  columns: [NUMBER, ...COLUMNS],
  actions: [
    { label: 'orders.pay', when: (row) => Boolean(row.pay_path), tone: 'primary', href: (row) => String(row.pay_path) },
    { label: 'orders.details', href: (row) => `/user/order?id=${String(row.id)}` },
    {
      label: 'orders.cancel',
      when: (row) => Boolean(row.pay_path),
      operation: 'ddqx',
      fields: (row) => ({ ddh: String(row.ddh) }),
      confirm: 'orders.cancel_confirm',
    },
  ],
});

const MENU = { icon: 'mdi-receipt-text-outline', order: 30 };

/** Order pages of both sides. */
@Controller()
export class OrderPages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly days: DayRange,
  ) {}

  @Page({ side: 'admin', path: 'orders', title: 'payment.menu.orders', menu: MENU, lists: [ALL_ORDERS] })
  all(): object {
    const { first, last } = this.days.read();
    return { first_day: first, last_day: last };
  }

  @Page({ side: 'user', path: 'orders', title: 'payment.menu.orders', menu: MENU, lists: [OWN_ORDERS] })
  own(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'order', title: 'payment.menu.orders', needs: ['ddsj'] })
  async one(call: RequestContext): Promise<object> {
    const shown = (await this.order('admin', call)) as {
      readonly deliveries: readonly { state: string; attempts: number }[];
      readonly refundable: string;
    };
    const again = shown.deliveries.some(({ state, attempts }) => state === 'dead' || (state === 'pending' && attempts > 0));
    return { ...shown, deliver_again: again, can_refund: Number(shown.refundable) > 0 };
  }

  @Page({ side: 'user', path: 'order', title: 'payment.menu.orders' })
  async ownOne(call: RequestContext): Promise<object> {
    const shown = (await this.order('user', call)) as { readonly order: { readonly pay_path: string | null } };
    return { ...shown, status_url: shown.order.pay_path?.replace('?', '/status?') ?? '' };
  }

  /** Returns the result of `ddsj` for the requested order, by id or number. */
  private async order(side: Scope, call: RequestContext): Promise<object> {
    const { id, ddh } = call.query;
    const answer = await this.pipeline.show(side, 'ddsj', id === undefined ? { ddh: ddh ?? '' } : { id }, call).catch((error: unknown) => {
      throw error instanceof AppError ? new PageMissing() : error;
    });
    return (answer as SuccessReply).extras;
  }
}
