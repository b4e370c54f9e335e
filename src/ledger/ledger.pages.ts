import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../operations/index.js';
import type { ListColumn } from '../sdk/index.js';
import { Page, PageMissing, defineList } from '../web/index.js';

import { EntryList } from './entry-list.js';
import { LedgerCheck } from './ledger-check.js';

const CREDITS = defineList({
  id: 'credits',
  operation: 'listye',
  sort: '-id',
  keyword: 'ss',
  empty: 'credit.none',
  filters: [
    {
      field: 'lx',
      label: 'credit.kind',
      choices: [
        ['customer', 'credit.customer'],
        ['account', 'credit.account'],
      ],
    },
  ],
  columns: [
    { field: 'user', title: 'credit.holder', kind: 'named' },
    {
      field: 'lx',
      title: 'credit.kind',
      kind: 'badge',
      badges: { customer: ['blue', 'credit.customer'], account: ['secondary', 'credit.account'] },
    },
    { field: 'rmb', title: 'credit.balance', kind: 'money', sortable: true },
    { field: 'date', title: 'credit.moved', kind: 'moment' },
  ],
  actions: [{ label: 'credit.open', operation: 'listyelog', href: (row) => `/admin/credit?id=${String(row.id)}` }],
});

const MOVED: readonly ListColumn[] = [
  { field: 'date', title: 'credit.date', kind: 'moment' },
  { field: 'lr', title: 'credit.what' },
  { field: 'rmb', title: 'credit.amount', whole: true },
  { field: 'ye', title: 'credit.after', kind: 'money' },
  { field: 'ddh', title: 'orders.number', kind: 'code' },
  { field: 'yy', title: 'credit.reason' },
];

const ENTRIES = defineList({
  id: 'entries',
  operation: 'listyelog',
  sort: '-id',
  given: ['id'],
  empty: 'credit.no_entries',
  columns: [...MOVED, { field: 'czuser', title: 'credit.who' }],
  actions: [
    { label: 'credit.order', when: (row) => row.ddh !== '', operation: 'ddsj', href: (row) => `/admin/order?id=${String(row.dd_id)}` },
  ],
});

const OWN = defineList({ id: 'entries', operation: 'yelog', sort: '-id', empty: 'credit.no_entries', columns: MOVED });

const DIFFERENCES = defineList({
  id: 'differences',
  operation: 'listyecy',
  empty: 'credit.no_differences',
  columns: [
    { field: 'lr', title: 'credit.difference' },
    { field: 'dx', title: 'credit.subject', kind: 'code' },
    { field: 'yj', title: 'credit.expected', kind: 'money' },
    { field: 'sj', title: 'credit.found', kind: 'money' },
    { field: 'date', title: 'credit.found_at', kind: 'moment' },
  ],
  actions: [
    { label: 'credit.order', when: (row) => row.dd_id !== null, operation: 'ddsj', href: (row) => `/admin/order?id=${String(row.dd_id)}` },
    { label: 'credit.open', when: (row) => row.ye_id !== null, href: (row) => `/admin/credit?id=${String(row.ye_id)}` },
  ],
});

/** Credit pages for administrators and for the holder. */
@Controller()
export class LedgerPages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly list: EntryList,
    private readonly check: LedgerCheck,
    private readonly config: AppConfig,
  ) {}

  @Page({
    side: 'admin',
    path: 'credits',
    title: 'ledger.menu.credits',
    menu: { icon: 'mdi-wallet-outline', order: 31 },
    lists: [CREDITS],
  })
  all(): object {
    return { request: randomUUID() };
  }

  @Page({ side: 'admin', path: 'credit', title: 'ledger.menu.credits', needs: ['listyelog'], lists: [ENTRIES] })
  async one(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    const credit = /^[1-9]\d{0,9}$/.test(id) ? await this.list.one(Number(id)) : null;
    if (!credit) throw new PageMissing();
    return { credit, request: randomUUID() };
  }

  @Page({ side: 'admin', path: 'credit-check', title: 'ledger.menu.credit_check', lists: [DIFFERENCES] })
  async differences(): Promise<object> {
    const last = await this.check.last();
    return { check: last && { ...last, date: legacyTime(last.checkedAt, this.config.timezone) } };
  }

  @Page({
    side: 'user',
    path: 'credit',
    title: 'ledger.menu.credit',
    menu: { icon: 'mdi-wallet-outline', order: 29 },
    lists: [OWN],
  })
  async own(call: RequestContext): Promise<object> {
    const { extras } = (await this.pipeline.show('user', 'wdye', {}, call)) as SuccessReply;
    return { credit: extras, request: randomUUID() };
  }
}
