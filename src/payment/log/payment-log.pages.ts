import { Controller } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../../operations/index.js';
import { Page, PageMissing, defineList } from '../../web/index.js';

const REJECTED = defineList({
  id: 'rejected',
  operation: 'listjjtz',
  sort: '-id',
  empty: 'payment_log.none_rejected',
  keyword: 'ss',
  filters: [
    {
      field: 'lx',
      label: 'payment_log.kind',
      choices: [
        ['gateway', 'payment_log.kind_gateway'],
        ['settlement', 'payment_log.kind_settlement'],
        ['failed', 'payment_log.kind_failed'],
      ],
    },
  ],
  columns: [
    { field: 'date', title: 'payment_log.last', kind: 'moment' },
    { field: 'jkmc', title: 'order_page.gateway' },
    { field: 'ddh', title: 'orders.number', kind: 'code' },
    {
      field: 'lx',
      title: 'payment_log.kind',
      kind: 'badge',
      badges: {
        gateway: ['yellow', 'payment_log.kind_gateway'],
        settlement: ['orange', 'payment_log.kind_settlement'],
        failed: ['red', 'payment_log.kind_failed'],
      },
    },
    { field: 'yy', title: 'payment_log.reason' },
    { field: 'cs', title: 'payment_log.times' },
    { field: 'ip', title: 'payment_log.ip', kind: 'code' },
  ],
  actions: [{ label: 'orders.details', operation: 'jjtzsj', href: (row) => `/admin/rejected-payment?id=${String(row.id)}` }],
});

const LINES = defineList({
  id: 'lines',
  operation: 'listzfrz',
  sort: '-id',
  beside: true,
  empty: 'payment_log.none',
  keyword: 'ss',
  columns: [
    { field: 'date', title: 'order_page.when', kind: 'moment' },
    { field: 'jkmc', title: 'order_page.gateway' },
    { field: 'lr', title: 'order_page.what' },
    { field: 'qk', title: 'payment_log.outcome', kind: 'brief' },
    { field: 'ip', title: 'payment_log.ip', kind: 'code' },
  ],
});

const SECOND = defineList({
  id: 'twice',
  operation: 'listzfcf',
  empty: 'twice.empty',
  filters: [
    {
      field: 'zt',
      label: 'orders.status',
      choices: [
        ['open', 'twice.open'],
        ['done', 'twice.done'],
      ],
    },
  ],
  columns: [
    { field: 'date', title: 'order_page.when', kind: 'moment' },
    {
      field: 'ddh',
      title: 'orders.number',
      kind: 'named',
      href: (row) => `/admin/order?id=${String(row.order_id)}`,
      notes: [{ text: (row) => String(row.words ?? '') }],
    },
    { field: 'rmb', title: 'orders.amount', kind: 'money' },
    { field: 'jkmc', title: 'order_page.gateway' },
    { field: 'trade_no', title: 'twice.trade', kind: 'code' },
    {
      field: 'zt',
      title: 'orders.status',
      kind: 'badge',
      badges: {
        open: ['red', 'twice.open'],
        pending: ['yellow', 'twice.pending'],
        refused: ['orange', 'twice.refused'],
        done: ['green', 'twice.done'],
        credit: ['green', 'twice.credit'],
      },
    },
  ],
  actions: [
    {
      label: 'twice.give_back',
      tone: 'primary',
      when: (row) => String(row.by_gateway) === 'true',
      operation: 'zftkwg',
      confirm: 'twice.give_back_confirm',
    },
    {
      label: 'twice.to_credit',
      when: (row) => String(row.to_credit) === 'true',
      operation: 'zftkye',
      confirm: 'twice.to_credit_confirm',
    },
    { label: 'twice.note', when: (row) => row.zt !== 'done', operation: 'zftk', confirm: 'twice.note_confirm' },
  ],
});

/** Pages of the payment log and of second payments. */
@Controller()
export class PaymentLogPages {
  constructor(private readonly pipeline: OperationPipeline) {}

  @Page({ side: 'admin', path: 'payment-log', title: 'payment.menu.payment_log', lists: [REJECTED, LINES] })
  log(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'second-payments', title: 'payment.menu.second_payments', lists: [SECOND] })
  second(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'rejected-payment', title: 'payment.menu.payment_log', needs: ['jjtzsj'] })
  async one(call: RequestContext): Promise<object> {
    const answer = await this.pipeline.show('admin', 'jjtzsj', { id: call.query.id ?? '' }, call).catch((error: unknown) => {
      throw error instanceof AppError ? new PageMissing() : error;
    });
    return (answer as SuccessReply).extras;
  }
}
