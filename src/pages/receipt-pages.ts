import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { translate } from '../common/index.js';
import { sendRedirect } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import { PaymentMethods, payPagePath, type Order } from '../payment/index.js';
import { readBuyer, ReceiptRepository, ReceiptError, receiptView, type BuyerForm, type Receipt } from '../receipts/index.js';
import { PageSender } from '../web/index.js';

/** The printable receipt of an order, for the holder of its key: created once the buyer's data is entered. */
@Injectable()
export class ReceiptPage {
  constructor(
    private readonly repository: ReceiptRepository,
    private readonly methods: PaymentMethods,
    private readonly pages: PageSender,
  ) {}

  async show(res: ServerResponse, call: RequestContext, order: Order): Promise<void> {
    if (order.paidAt === null) return sendRedirect(res, payPagePath(order), 303);
    const receipt = await this.repository.of(order.id);
    if (!receipt || (call.query.edit === '1' && receipt.invoiceNumber === '')) return this.ask(res, call, order, formOf(order, receipt));
    const refunds = await this.repository.refunds(order.id);
    await this.pages.send(res, call, 'pay', 'receipt', {
      ...receiptView(receipt, order, refunds, this.methods.names(call.locale)(order.type)),
      back: payPagePath(order),
      edit_url: receipt.invoiceNumber === '' ? `${payPagePath(order, '/receipt')}&edit=1` : undefined,
    });
  }

  /** Creates the receipt from the buyer's data. */
  async make(res: ServerResponse, call: RequestContext, order: Order): Promise<void> {
    const form = readBuyer(call.body);
    if (Object.keys(form.problems).length > 0) return this.ask(res, call, order, form, '', 422);
    try {
      await this.repository.make(order.id, form.buyer, form.wantsInvoice);
    } catch (error) {
      if (!(error instanceof ReceiptError)) throw error;
      return this.ask(res, call, order, form, translate(call.locale, error.shape.text, error.params), 409);
    }
    sendRedirect(res, payPagePath(order, '/receipt'), 303);
  }

  private ask(
    res: ServerResponse,
    call: RequestContext,
    order: Order,
    { buyer, wantsInvoice, problems }: BuyerForm,
    error = '',
    status = 200,
  ): Promise<void> {
    const messages = Object.fromEntries(Object.entries(problems).map(([field, key]) => [field, translate(call.locale, key)]));
    const view = {
      buyer,
      wants_invoice: wantsInvoice,
      problems: messages,
      error,
      action: payPagePath(order, '/receipt'),
      back: payPagePath(order),
    };
    return this.pages.send(res, call, 'pay', 'receipt_form', view, { status });
  }
}

function formOf(order: Order, receipt: Receipt | null): BuyerForm {
  const buyer = receipt?.buyer ?? { name: order.user, taxNumber: '', address: '', mail: '' };
  return { buyer, wantsInvoice: receipt?.wantsInvoice ?? false, problems: {} };
}
