import { Injectable } from '@nestjs/common';

import { localeOf, toFen, toYuan } from '../../common/index.js';
import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Refund } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { Orders } from '../orders/index.js';
import { RefundIdInput, RefundInput, RefundOutcomeInput } from '../payment.inputs.js';

import { RefundRepository } from './refund-repository.js';
import { Refunds } from './refunds.js';

/** Refunds. Source: docs/panel-api.md "Orders". */
@Injectable()
export class RefundOperations {
  constructor(
    private readonly orders: Orders,
    private readonly refunds: Refunds,
    private readonly repository: RefundRepository,
  ) {}

  /** Refunds an amount of a paid order: through its gateway, manually, or as credit. */
  @Operation({
    side: 'admin',
    gn: 'ddtk',
    auth: 'admin',
    input: RefundInput,
    audit: 'payment.audit.refunded',
    rate: 'write',
    secondProof: true,
  })
  async refund({ id, rmb, qd, yy }: RefundInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await this.orders.get(id);
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    const amount = toFen(rmb)!;
    const request = { orderId: id, amount, way: qd === 'ye' ? 'credit' : qd, reason: yy, actor: ctx.admin?.username ?? '' } as const;
    return answer(await this.refunds.make(request, localeOf(ctx.locale)), order.number);
  }

  /** Asks the gateway again about a refund with unknown outcome; with the same number, so that nothing is refunded twice. */
  @Operation({
    side: 'admin',
    gn: 'ddtkcx',
    auth: 'admin',
    input: RefundIdInput,
    audit: 'payment.audit.refund_asked',
    rate: 'write',
    secondProof: true,
  })
  async askAgain({ id }: RefundIdInput, ctx: CallContext): Promise<SuccessReply> {
    const refund = await this.waiting(id);
    return answer(await this.refunds.ask(refund, localeOf(ctx.locale)), refund.number);
  }

  /** Records the outcome of a refund that the gateway does not report, as shown on the gateway's own pages. */
  @Operation({
    side: 'admin',
    gn: 'ddtkjg',
    auth: 'admin',
    input: RefundOutcomeInput,
    audit: 'payment.audit.refund_known',
    rate: 'write',
    secondProof: true,
  })
  async recordOutcome({ id, jg }: RefundOutcomeInput): Promise<SuccessReply> {
    const refund = await this.waiting(id);
    if (!(await this.repository.settle(refund, jg === 'done' ? 'done' : 'refused', '', ''))) throw new PaymentError('REFUND_KNOWN');
    return answer((await this.repository.find(id))!, refund.number);
  }

  private async waiting(id: number): Promise<Refund> {
    const refund = await this.repository.find(id);
    if (!refund) throw new PaymentError('REFUND_NOT_FOUND');
    if (refund.state !== 'pending') throw new PaymentError('REFUND_KNOWN');
    return refund;
  }
}

function answer({ id, number, amount, state, words, reason }: Refund, order: string): SuccessReply {
  const rmb = toYuan(amount);
  return new SuccessReply(`payment.refund_${state}`, { id, tkh: number, rmb, zt: state }, { number: order, rmb, words, yy: reason });
}
