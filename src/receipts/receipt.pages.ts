import { Controller } from '@nestjs/common';

import { versionOf } from '../operations/index.js';
import { Page, defineList } from '../web/index.js';

import { ReceiptBook } from './receipt-book.js';
import { sellerForm } from './receipt.operations.js';

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
  columns: [
    { field: 'sjh', title: 'receipts.number', whole: true },
    { field: 'date', title: 'receipts.made', whole: true },
    { field: 'ddh', title: 'orders.number', kind: 'code' },
    { field: 'rmb', title: 'orders.amount', kind: 'money' },
    { field: 'tk', title: 'receipts.refunded', kind: 'money' },
    { field: 'gf', title: 'receipts.buyer', kind: 'brief' },
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
  ],
  actions: [
    { label: 'receipts.open', href: (row) => String(row.url) },
    { label: 'receipts.note_invoice', operation: 'skdfp', dialog: 'receipt-invoice', fills: ['id', 'fph', 'sjh', 'gf'] },
  ],
});

/** Receipts of paid orders, and who sells. */
@Controller()
export class ReceiptPages {
  constructor(private readonly book: ReceiptBook) {}

  @Page({ side: 'admin', path: 'receipts', title: 'theme.menu.receipts', lists: [RECEIPTS] })
  all(): object {
    const seller = sellerForm(this.book.seller);
    return { seller, row_version: versionOf(seller) };
  }
}
