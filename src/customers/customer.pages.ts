import { Controller } from '@nestjs/common';

import { OperationPipeline, type RequestContext, type SuccessReply } from '../operations/index.js';
import { Page, PageMissing, defineList, type ListRow, type RowAction } from '../web/index.js';

import { AccountPagesAddress } from './account-pages-address.js';
import { CustomerError } from './errors.js';
import { HOST_STATES, ORDER_STATES } from './row-states.js';

const isActive = (row: ListRow): boolean => row.status === '1';

const ACTIONS: readonly RowAction[] = [
  { label: 'customers.edit', dialog: 'edit-customer', operation: 'yhxg', fills: ['id', 'username', 'email', 'qq', 'row_version'] },
  { label: 'customers.enter', when: isActive, operation: 'yhdl', shows: 'customer-enter', then: 'nothing' },
  { label: 'customers.reset_link', when: isActive, operation: 'yhczmm', shows: 'customer-reset', then: 'nothing' },
  { label: 'customers.set_password', dialog: 'customer-password', operation: 'yhczmm', fills: ['id', 'username'] },
  {
    label: 'customers.factor_remove',
    when: (row) => row.f2 === 'true',
    tone: 'danger',
    operation: 'yhf2',
    confirm: 'customers.factor_confirm',
  },
  {
    label: 'customers.lock',
    when: isActive,
    tone: 'danger',
    operation: 'yhkg',
    fields: (row) => ({ id: String(row.id), status: '0' }),
    confirm: 'customers.lock_confirm',
  },
  { label: 'customers.unlock', when: (row) => !isActive(row), operation: 'yhkg', fields: (row) => ({ id: String(row.id), status: '1' }) },
  { label: 'customers.delete', tone: 'danger', operation: 'yhsc', confirm: 'customers.delete_confirm' },
];

const CUSTOMERS = defineList({
  id: 'customers',
  operation: 'listyh',
  sort: '-id',
  empty: 'customers.empty',
  given: ['ss'],
  search: [['ss', 'customers.search']],
  filters: [
    {
      field: 'status',
      label: 'customers.status',
      choices: [
        ['1', 'customers.active'],
        ['0', 'customers.locked'],
      ],
    },
  ],
  columns: [
    { field: 'id', title: 'customers.id' },
    { field: 'username', title: 'customers.username', whole: true },
    { field: 'email', title: 'customers.email', notes: [{ text: (row, t) => (row.yx === 'true' ? t('customers.confirmed') : '') }] },
    { field: 'zjs', title: 'customers.hosts' },
    {
      field: 'status',
      title: 'customers.status',
      kind: 'badge',
      badges: { '1': ['green', 'customers.active'], '0': ['red', 'customers.locked'] },
    },
    {
      field: 'f2',
      title: 'customers.factor',
      kind: 'badge',
      badges: { true: ['green', 'customers.factor_on'], false: ['secondary', 'customers.factor_off'] },
    },
    { field: 'last', title: 'customers.last', kind: 'moment' },
    { field: 'date', title: 'customers.since', kind: 'moment' },
  ],
  actions: [{ label: 'customers.open', operation: 'yhsj', href: (row) => `/admin/customer?id=${String(row.id)}` }, ...ACTIONS],
});

const HOSTS = defineList({
  id: 'customer-hosts',
  operation: 'yhzj',
  given: ['id'],
  empty: 'customers.no_hosts',
  columns: [
    { field: 'user', title: 'hosts.user', whole: true },
    { field: 'url', title: 'hosts.site', kind: 'link' },
    { field: 'ssbt', title: 'hosts.node', whole: true },
    { field: 'datae', title: 'hosts.expires', kind: 'expiry', whole: true },
    { field: 'status', title: 'hosts.status', kind: 'badge', badges: HOST_STATES },
  ],
  actions: [
    { label: 'hosts.open', operation: 'listzjls', href: (row) => `/admin/host?id=${String(row.id)}` },
    {
      label: 'customers.take_host',
      tone: 'danger',
      operation: 'zjzp',
      fields: (row) => ({ id: String(row.id), yh_id: '0' }),
      confirm: 'customers.take_confirm',
    },
  ],
});

const ORDERS = defineList({
  id: 'customer-orders',
  operation: 'yhdd',
  given: ['id'],
  empty: 'orders.empty',
  columns: [
    { field: 'ddh', title: 'orders.number', kind: 'code' },
    { field: 'user', title: 'orders.user' },
    { field: 'name', title: 'orders.name' },
    { field: 'rmb', title: 'orders.amount', kind: 'money' },
    { field: 'qk', title: 'orders.status', kind: 'badge', badges: ORDER_STATES },
    { field: 'date', title: 'orders.date', kind: 'moment' },
  ],
  actions: [{ label: 'orders.details', operation: 'ddsj', href: (row) => `/admin/order?id=${String(row.id)}` }],
});

/** Customer pages of the reseller. */
@Controller()
export class CustomerPages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly pages: AccountPagesAddress,
  ) {}

  @Page({
    side: 'admin',
    path: 'customers',
    title: 'customers.menu.customers',
    menu: { icon: 'mdi-account', order: 21 },
    lists: [CUSTOMERS],
  })
  customers(): object {
    return { served: this.pages.served };
  }

  @Page({ side: 'admin', path: 'customer', title: 'customers.menu.customer', needs: ['yhsj', 'yhzj', 'yhdd'], lists: [HOSTS, ORDERS] })
  async customer(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    if (!/^[1-9]\d{0,8}$/.test(id)) throw new PageMissing();
    try {
      return { customer: ((await this.pipeline.show('admin', 'yhsj', { id }, call)) as SuccessReply).extras, served: this.pages.served };
    } catch (error) {
      throw error instanceof CustomerError ? new PageMissing() : error;
    }
  }
}
