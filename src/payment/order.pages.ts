import { Controller } from '@nestjs/common';

import { Page, defineList, type BadgeColour, type ListColumn, type ListFilter } from '../web/index.js';

const STATES: Readonly<Record<string, readonly [BadgeColour, string]>> = {
  paid: ['green', 'order.paid'],
  unpaid: ['yellow', 'order.unpaid'],
  closed: ['secondary', 'order.closed'],
  refunded: ['purple', 'order.refunded'],
  partly_refunded: ['purple', 'order.partly_refunded'],
};

const BY_STATE: ListFilter = {
  field: 'qk',
  label: 'orders.status',
  choices: Object.entries(STATES).map(([state, [, label]]) => [state, label]),
};

const NUMBER: ListColumn = { field: 'ddh', title: 'orders.number', kind: 'code', sortable: true };
const COLUMNS: readonly ListColumn[] = [
  { field: 'name', title: 'orders.name' },
  { field: 'rmb', title: 'orders.amount', kind: 'money', sortable: true },
  { field: 'ffmc', title: 'orders.method' },
  { field: 'qk', title: 'orders.status', kind: 'badge', badges: STATES },
  { field: 'date', title: 'orders.date', sortable: true, whole: true },
];

const ALL_ORDERS = defineList({
  id: 'orders',
  operation: 'listdd',
  sort: '-id',
  empty: 'orders.empty',
  search: [
    ['ddh', 'orders.number'],
    ['user', 'orders.user'],
    ['name', 'orders.name'],
  ],
  filters: [BY_STATE],
  columns: [NUMBER, { field: 'user', title: 'orders.user', sortable: true }, ...COLUMNS],
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
  actions: [{ label: 'orders.pay', when: (row) => Boolean(row.pay_path), tone: 'primary', href: (row) => String(row.pay_path) }],
});

const MENU = { icon: 'mdi-receipt-text-outline', order: 30 };

/** Orders of both sides. */
@Controller()
export class OrderPages {
  @Page({ side: 'admin', path: 'orders', title: 'theme.menu.orders', menu: MENU, lists: [ALL_ORDERS] })
  all(): object {
    return {};
  }

  @Page({ side: 'user', path: 'orders', title: 'theme.menu.orders', menu: MENU, lists: [OWN_ORDERS] })
  own(): object {
    return {};
  }
}
