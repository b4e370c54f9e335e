import type { Order, Refund } from '../payment/index.js';

import { receiptNumber, type Receipt } from './entities/index.js';

/** Returns the template data of a receipt. @param method display name of the payment method */
export function receiptView(receipt: Receipt, order: Order, refunds: readonly Refund[], method: string): object {
  return {
    receipt: {
      number: receiptNumber(receipt),
      made_at: receipt.madeAt.toISOString(),
      invoice: receipt.invoiceNumber,
      asked: receipt.wantsInvoice,
    },
    seller: receipt.seller,
    buyer: receipt.buyer,
    order: {
      number: order.number,
      name: order.name,
      amount: order.amount,
      discount: order.discount,
      original: order.amount + order.discount,
      paid_at: order.paidAt!.toISOString(),
      method,
    },
    refunds: refunds.map(({ number, amount, doneAt }) => ({ number, amount, done_at: doneAt?.toISOString() })),
    left: order.amount - refunds.reduce((sum, { amount }) => sum + amount, 0),
  };
}
