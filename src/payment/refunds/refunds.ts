import { Injectable } from '@nestjs/common';

import { DEFAULT_LOCALE, type Locale } from '../../common/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { Database } from '../../database/index.js';
import { type Refund, PaymentTransaction } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { GatewayCalls } from '../gateways/index.js';
import { Orders } from '../orders/index.js';

import { RefundRepository, type RefundRequest } from './refund-repository.js';

const BATCH = 50;

/**
 * Makes refunds. The amount is reserved first, then the gateway is asked, outside of any transaction and with the same number each time;
 * if the outcome is unknown, for instance after a timeout, it is asked again until the outcome is definite.
 */
@Injectable()
export class Refunds {
  constructor(
    private readonly repository: RefundRepository,
    private readonly calls: GatewayCalls,
    private readonly orders: Orders,
    private readonly database: Database,
  ) {}

  /**
   * @returns the refund in its new state: `pending` if the gateway takes its time or the outcome is unknown
   * @throws PaymentError NOT_REFUNDABLE, REFUND_TOO_MUCH, GATEWAY_OFF, GATEWAY_CANNOT
   */
  async make(request: RefundRequest, locale: Locale): Promise<Refund> {
    if (request.way === 'gateway') await this.checkGateway(request.orderId);
    const refund = await this.repository.reserve(request);
    return request.way === 'gateway' ? this.ask(refund, locale) : this.present(refund);
  }

  /** Asks the gateway about a pending refund, unless another process is asking right now. */
  async ask(refund: Refund, locale: Locale = DEFAULT_LOCALE): Promise<Refund> {
    if (!(await this.repository.claim(refund.id))) return this.present(refund);
    const order = await this.orders.get(refund.orderId);
    const payment = await this.database.repository(PaymentTransaction).findOneByOrFail({ orderId: refund.orderId });
    const { number: id, amount, reason } = refund;
    const request = { id, amount, trade_no: payment.tradeNumber, paid: payment.amount, reason };
    const outcome = await this.calls.refund(order!, refund.gateway, request, locale);
    const words = outcome.msg ?? '';
    const refundNumber = 'refund_no' in outcome ? (outcome.refund_no ?? '') : '';
    if (outcome.state === 'done' || outcome.state === 'refused') await this.repository.decide(refund, outcome.state, refundNumber, words);
    else await this.repository.note(refund.id, words);
    return this.present(refund);
  }

  /** Asks about all pending refunds. @returns the number of refunds processed */
  @Job({ name: 'refunds', everyMinutes: 15 })
  async askAll(turn?: JobTurn): Promise<number> {
    let looked = 0;
    for (let last = 0; ;) {
      const pending = await this.repository.waiting(last, BATCH);
      for (const refund of pending) {
        turn?.signal.throwIfAborted();
        // Refunds of a disabled gateway wait until it is enabled again.
        if (!this.calls.can(refund.gateway, 'refund')) continue;
        await this.ask(refund);
        looked += 1;
      }
      if (pending.length < BATCH) return looked;
      last = pending.at(-1)!.id;
    }
  }

  private async checkGateway(orderId: number): Promise<void> {
    const payment = await this.database.repository(PaymentTransaction).findOneBy({ orderId });
    if (!payment) throw new PaymentError('NOT_REFUNDABLE');
    if (!this.calls.can(payment.gateway, 'refund')) throw new PaymentError('REFUND_BY_HAND', {}, { qd: 'payment.refund_by_hand' });
  }

  private async present({ id }: Refund): Promise<Refund> {
    return (await this.repository.find(id))!;
  }
}
