import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { legacyTime, localeOf, toYuan } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';
import { PaymentMethods } from '../gateways/index.js';
import { SecondPaymentInput } from '../payment.inputs.js';

import { SecondPayments } from './second-payments.js';
import { SecondRefunds } from './second-refunds.js';

/** Fields of `listzfcf`. */
export class SecondPaymentListInput extends ListInput {
  /** `open`: only those still to be refunded. */
  @IsOptional() @IsIn(['', 'open', 'done']) zt?: '' | 'open' | 'done';
}

/** Operations on second payments of an order: lists them, refunds them, turns them into credit. Source: docs/panel-api.md "Orders". */
@Injectable()
export class SecondPaymentOperations {
  constructor(
    private readonly config: AppConfig,
    private readonly payments: SecondPayments,
    private readonly refunds: SecondRefunds,
    private readonly methods: PaymentMethods,
  ) {}

  @Operation({ side: 'admin', gn: 'listzfcf', auth: 'admin', input: SecondPaymentListInput, audit: null, rate: 'read' })
  async list({ page, limit, zt }: SecondPaymentListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.payments.page({ page, limit, only: zt || undefined });
    const time = (at: Date | null): string | null => at && legacyTime(at, this.config.timezone);
    return new ListReply(
      total,
      await Promise.all(
        rows.map(async ({ id, orderId, order, gateway, tradeNumber, amount, state, words, createdAt, refundedAt }) => ({
          id,
          order_id: orderId,
          ddh: order!.number,
          jk: gateway,
          jkmc: this.methods.gatewayName(gateway, localeOf(ctx.locale)),
          trade_no: tradeNumber,
          rmb: toYuan(amount),
          date: time(createdAt),
          refunded_at: time(refundedAt),
          zt: refundedAt === null ? state || 'open' : state === 'credit' ? 'credit' : 'done',
          words,
          by_gateway: refundedAt === null && this.refunds.can(gateway),
          to_credit: refundedAt === null && state !== 'pending' && (await this.payments.toCredit(order!)),
        })),
      ),
    );
  }

  /** Refunds it through its gateway. */
  @Operation({
    side: 'admin',
    gn: 'zftkwg',
    auth: 'admin',
    input: SecondPaymentInput,
    audit: 'payment.audit.second_given_back',
    rate: 'write',
    secondProof: true,
  })
  async giveBack({ id }: SecondPaymentInput, ctx: CallContext): Promise<SuccessReply> {
    const { amount, refundedAt, state, words } = await this.refunds.make(id, localeOf(ctx.locale));
    const end = refundedAt === null ? (state === 'refused' ? 'refused' : 'pending') : 'done';
    return new SuccessReply(`payment.refund_${end}`, { id, zt: end }, { id, rmb: toYuan(amount), words });
  }

  /** Adds it to the credit of the order's owner. */
  @Operation({
    side: 'admin',
    gn: 'zftkye',
    auth: 'admin',
    input: SecondPaymentInput,
    audit: 'payment.audit.second_to_credit',
    rate: 'write',
    secondProof: true,
  })
  async toCredit({ id }: SecondPaymentInput, ctx: CallContext): Promise<SuccessReply> {
    const { amount } = await this.payments.giveCredit(id, ctx.admin?.username ?? '');
    return new SuccessReply('payment.second_to_credit', { id, zt: 'credit' }, { id, rmb: toYuan(amount) });
  }

  /** Marks a second payment as refunded by the administrator; it is no longer shown as open. */
  @Operation({
    side: 'admin',
    gn: 'zftk',
    auth: 'admin',
    input: SecondPaymentInput,
    audit: 'payment.audit.second_refunded',
    rate: 'write',
    secondProof: true,
  })
  async secondRefunded({ id }: SecondPaymentInput): Promise<SuccessReply> {
    if (!(await this.payments.refunded(id))) throw new PaymentError('SECOND_PAYMENT_NOT_FOUND');
    return new SuccessReply('payment.second_refunded');
  }
}
