import { Controller } from '@nestjs/common';

import { AppError, translate, type Locale } from '../common/index.js';
import { versionOf } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import { DayRange, daysOf, PaymentMethods } from '../payment/index.js';
import { AppConfig } from '../config/index.js';
import { Page, defineList, type ListColumn } from '../web/index.js';

import { ReceiptRepository } from './receipt-repository.js';
import { receiptView } from './receipt-view.js';
import { sellerForm } from './receipt.operations.js';

/** Maximum receipts on the print page. */
const MAX_SHEETS = 200;

const BEFORE_BUYER: readonly ListColumn[] = [
  { field: 'sjh', title: 'receipts.number', whole: true },
  { field: 'date', title: 'receipts.made', kind: 'moment' },
  { field: 'ddh', title: 'orders.number', kind: 'code' },
  { field: 'rmb', title: 'orders.amount', kind: 'money' },
  { field: 'tk', title: 'receipts.refunded', kind: 'money' },
];
const AFTER_BUYER: readonly ListColumn[] = [
  {
    field: 'fp',
    title: 'receipts.invoice',
    kind: 'badge',
    badges: {
      none: ['secondary', 'receipts.not_asked'],
      asked: ['yellow', 'receipts.asked'],
      issued: ['green', 'receipts.issued'],
    },
  },
  { field: 'fph', title: 'receipts.invoice_short', kind: 'code' },
];

const RECEIPTS = defineList({
  id: 'receipts',
  operation: 'listskd',
  keyword: 'ss',
  given: ['from', 'to'],
  narrowed: 'receipts.narrowed',
  empty: 'receipts.empty',
  filters: [
    {
      field: 'fp',
      label: 'receipts.invoice',
      choices: [
        ['asked', 'receipts.asked'],
        ['issued', 'receipts.issued'],
      ],
    },
  ],
  columns: [...BEFORE_BUYER, { field: 'gf', title: 'receipts.buyer', kind: 'brief' }, ...AFTER_BUYER],
  // The export has separate columns for import into accounting software.
  file: [
    ...BEFORE_BUYER,
    { field: 'tt', title: 'receipts.buyer' },
    { field: 'sh', title: 'receipts.tax_number' },
    { field: 'dz', title: 'receipts.address' },
    { field: 'yx', title: 'receipts.mail' },
    ...AFTER_BUYER,
  ],
  actions: [
    { label: 'receipts.open', href: (row) => String(row.url) },
    { label: 'receipts.note_invoice', operation: 'skdfp', dialog: 'receipt-invoice', fills: ['id', 'fph', 'sjh', 'gf', 'row_version'] },
  ],
});

/** Pages of receipts of paid orders, and of the seller. */
@Controller()
export class ReceiptPages {
  constructor(
    private readonly repository: ReceiptRepository,
    private readonly methods: PaymentMethods,
    private readonly config: AppConfig,
    private readonly days: DayRange,
  ) {}

  @Page({ side: 'admin', path: 'receipts', title: 'receipts.menu.receipts', lists: [RECEIPTS] })
  all({ query }: RequestContext): object {
    const seller = sellerForm(this.repository.seller);
    const { from = '', to = '' } = filtersOf(query);
    const { first, last } = this.days.read();
    return {
      from,
      to,
      first_day: first,
      last_day: last,
      seller,
      row_version: versionOf(seller),
      print_url: `/admin/receipts-print?${new URLSearchParams(filtersOf(query)).toString()}`,
    };
  }

  /** Shows the listed receipts for printing, each on a sheet of its own. */
  @Page({ side: 'admin', path: 'receipts-print', title: 'receipts.menu.receipts', needs: ['listskd'] })
  async sheets({ query, locale }: RequestContext): Promise<object> {
    const back = `/admin/receipts?${new URLSearchParams(filtersOf(query)).toString()}`;
    try {
      return { ...(await this.found(query, locale)), back };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const problem = translate(locale, error.shape.text, error.params);
      return { shown: [], total: 0, most: MAX_SHEETS, back: '/admin/receipts', problem };
    }
  }

  /** @throws PaymentError RANGE_MALFORMED for invalid days */
  private async found(query: RequestContext['query'], locale: Locale): Promise<object> {
    const { from, to, fp = '', q = '' } = filtersOf(query);
    const invoice = fp === 'asked' || fp === 'issued' ? fp : '';
    const days = daysOf({ from, to }, this.config.timezone);
    const { total, rows } = await this.repository.page({ keyword: q, invoice, ...days, offset: 0, limit: MAX_SHEETS });
    const nameOf = this.methods.names(locale);
    const refunds = await this.repository.refundsOf(rows.map(({ order }) => order.id));
    const shown = rows.map(({ receipt, order }) => receiptView(receipt, order, refunds.get(order.id) ?? [], nameOf(order.type)));
    return { shown, total, most: MAX_SHEETS };
  }
}

/** Returns the filter values of the query. */
function filtersOf(query: RequestContext['query']): Record<string, string> {
  return Object.fromEntries(['q', 'from', 'to', 'fp'].flatMap((name) => (query[name] ? [[name, query[name].slice(0, 100)]] : [])));
}
