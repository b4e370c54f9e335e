import { Injectable } from '@nestjs/common';

import { toYuan, type Locale } from '../../common/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { PaymentMethods, type AvailableMethod } from '../gateways/index.js';

import { readBuildResult } from './build-result.js';
import { Dispatch } from './dispatch.js';

/** Next step of a buyer in a response: a URL, a page to show, or a text for a QR code. */
export type PayWay = { readonly url: string } | { readonly html: string } | { readonly qrcode: string };

/** Sends an unpaid order to a gateway, for the buyers' operations. */
@Injectable()
export class OrderSending {
  constructor(
    private readonly methods: PaymentMethods,
    private readonly dispatch: Dispatch,
  ) {}

  /** Returns the available payment methods. @param amount fen; without it the methods' limits are ignored */
  offered(amount: number | undefined, locale: Locale): Promise<AvailableMethod[]> {
    return this.methods.available(amount, locale);
  }

  /**
   * @param type payment type string, in the field `ff` of the form
   * @param locale of the buyer
   * @throws PaymentError METHOD_AMOUNT if the method does not accept the order's amount, METHOD_NOT_OFFERED if it is otherwise
   * unavailable, GATEWAY_NOT_NOW
   */
  async send(order: Pick<Order, 'id' | 'amount'>, type: string, ip: string, locale: Locale): Promise<PayWay> {
    const offered = (await this.methods.available(order.amount)).some((method) => method.type === type);
    if (!offered) throw await this.notOffered(order.amount, type, locale);
    const step = readBuildResult(await this.dispatch.dispatch(order.id, type, { ip }));
    if (!step) throw new PaymentError('GATEWAY_NOT_NOW');
    return step.kind === 'redirect' ? { url: step.url } : step.kind === 'html' ? { html: step.html } : { qrcode: step.text };
  }

  private async notOffered(amount: number, type: string, locale: Locale): Promise<PaymentError> {
    const range = this.methods.beyond(type, amount);
    if (!range) return new PaymentError('METHOD_NOT_OFFERED', {}, { ff: 'payment.method_not_offered' });
    const [name, least, most] = [this.methods.names(locale)(type), toYuan(range.least), toYuan(range.most)];
    return new PaymentError('METHOD_AMOUNT', { name, least, most }, { ff: 'payment.method_not_offered' });
  }
}
