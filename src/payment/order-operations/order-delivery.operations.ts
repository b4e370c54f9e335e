import { Injectable } from '@nestjs/common';

import { DeadLetters, EventDeliveries } from '../../hooks/index.js';
import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';
import { OrderHistoryRepository, Orders } from '../orders/index.js';
import { DeliverAgainInput } from '../payment.inputs.js';

import { administratorOf, existingOrder } from './order-of-operation.js';

/** Manual retries of an order's deliveries. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderDeliveryOperations {
  constructor(
    private readonly orders: Orders,
    private readonly history: OrderHistoryRepository,
    private readonly deliveries: EventDeliveries,
    private readonly deadLetters: DeadLetters,
  ) {}

  /** Retries failed deliveries, and pending ones immediately. The delivery keeps its identity, so nothing is delivered twice. */
  @Operation({ side: 'admin', gn: 'ddcf', auth: 'admin', input: DeliverAgainInput, audit: 'payment.audit.delivered_again', rate: 'write' })
  async deliverAgain({ id, yy = '' }: DeliverAgainInput, ctx: CallContext): Promise<SuccessReply> {
    const { number } = await existingOrder(this.orders, id);
    let n = 0;
    for (const { id: delivery, state, attempts } of await this.deliveries.of(`order:${id}`)) {
      if (state === 'dead') n += Number(await this.deadLetters.retry(delivery));
      else if (state === 'pending' && attempts > 0) n += Number(await this.deadLetters.tryNow(delivery));
    }
    if (n === 0) throw new PaymentError('NOTHING_TO_DELIVER');
    await this.history.add(id, 'retried', administratorOf(ctx), { n: String(n), reason: yy });
    return new SuccessReply('payment.delivered_again', { id, n }, { number, n, yy: yy || '-' });
  }
}
