import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { localeOf } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Operation, RowId, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DayRange } from '../day-range.js';
import { PaymentError } from '../errors.js';
import { PaymentMethods } from '../gateways/index.js';
import { Orders } from '../orders/index.js';

import type { InquiryAnswer, InquiryOutcome } from './inquiries.js';
import { InquiryRun } from './inquiry-run.js';

/** Fields of `dddz`: one order, or a range of creation days. */
export class InquiryInput {
  @IsOptional() @RowId() id?: number;
  /** First day, `YYYY-MM-DD`. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Last day. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
}

/** Outcomes by priority, for the message: those that changed the order come first. */
const OUTCOME_PRIORITY: readonly InquiryOutcome[] = [
  'settled',
  'second',
  'refused',
  'known',
  'failed',
  'silent',
  'refunded',
  'unpaid',
  'closed',
];

/** Manual inquiries at gateways. Source: docs/panel-api.md "Orders". */
@Injectable()
export class InquiryOperations {
  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly run: InquiryRun,
    private readonly days: DayRange,
    private readonly methods: PaymentMethods,
  ) {}

  /** Queries every gateway an order was sent to about its payment; for a range of days, all unpaid orders, in the background. */
  @Operation({ side: 'admin', gn: 'dddz', auth: 'admin', input: InquiryInput, audit: 'payment.audit.asked', rate: 'expensive' })
  async ask({ id, from, to }: InquiryInput, ctx: CallContext): Promise<SuccessReply> {
    if (id !== undefined) return this.askOne(id, ctx);
    const { since, until, days } = this.days.read(from, to);
    const task = await this.run.order(since, until, ctx.admin!.username);
    return new SuccessReply('payment.asking', { task_id: task, redirect: '/admin/background' }, { what: days });
  }

  private async askOne(id: number, ctx: CallContext): Promise<SuccessReply> {
    const locale = localeOf(ctx.locale);
    const order = await this.orders.get(id);
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    const answers = await this.run.askNow(order, { source: 'admin', actor: ctx.admin!.username }, locale);
    const answer = [...answers].sort((a, b) => OUTCOME_PRIORITY.indexOf(a.outcome) - OUTCOME_PRIORITY.indexOf(b.outcome))[0]!;
    const { status, number } = (await this.orders.get(id)) ?? order;
    if (status !== order.status) this.database.noteChange({ of: 'order', id }, { orderState: order.status }, { orderState: status });
    return new SuccessReply(
      `payment.asked_${answer.outcome}`,
      { id, ddh: number, qk: status, asked: answers.map(wire) },
      { what: number, gateway: this.methods.gatewayName(answer.gateway, locale), words: answer.words },
    );
  }
}

function wire({ gateway, outcome, words }: InquiryAnswer): object {
  return { gateway, zt: outcome, words };
}
