import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { localeOf, toYuan } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DayRange } from '../day-range.js';
import { PaymentMethods } from '../gateways/index.js';
import { OrderSums } from '../orders/index.js';
import { OrderListInput } from '../payment.inputs.js';

import { IncomeDays } from './income-days.js';

/** Maximum gateways and scenes listed separately. */
const MAX_PARTS = 50;

/** Fields of `ddtj`. */
export class OrderStatisticsInput {
  /** First day, `YYYY-MM-DD`. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Last day. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
}

/** Fields of `dddc`. */
export class OrderExportInput extends OrderStatisticsInput {
  @IsOptional() @IsIn(['', 'unpaid', 'paid', 'closed', 'refunded', 'partly_refunded']) qk?: string;
  @IsOptional() @IsString() @Trimmed() @MaxLength(32) scene?: string;
  /** Format: a table for spreadsheets, or rows for programs. */
  @IsOptional() @IsIn(['csv', 'json']) gs?: 'csv' | 'json';
}

interface Part {
  readonly name: string;
  readonly n: number;
  readonly fen: number | string | null;
}

/** Income statistics of a range of days: by day, gateway and scene. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderStatisticsOperations {
  private readonly byGateway;
  private readonly byScene;
  private readonly refunded;
  private readonly waiting;

  constructor(
    database: Database,
    private readonly days: DayRange,
    private readonly income: IncomeDays,
    private readonly methods: PaymentMethods,
    private readonly sums: OrderSums,
  ) {
    const fen = 'COUNT(*) AS n, SUM(ROUND(t.{PaymentTransaction.amount} * 100)) AS fen';
    const within = 't.{PaymentTransaction.createdAt} >= ? AND t.{PaymentTransaction.createdAt} < ?';
    this.byGateway = database.statement<Part>(
      `SELECT t.{PaymentTransaction.gateway} AS name, ${fen} FROM {PaymentTransaction} t WHERE ${within}
       GROUP BY t.{PaymentTransaction.gateway} ORDER BY fen DESC, name LIMIT ${MAX_PARTS}`,
    );
    this.byScene = database.statement<Part>(
      `SELECT o.{Order.scene} AS name, ${fen} FROM {PaymentTransaction} t JOIN {Order} o ON o.{Order.id} = t.{PaymentTransaction.orderId}
       WHERE ${within} GROUP BY o.{Order.scene} ORDER BY fen DESC, name LIMIT ${MAX_PARTS}`,
    );
    this.refunded = database.statement<Omit<Part, 'name'>>(
      `SELECT COUNT(*) AS n, SUM(ROUND({Refund.amount} * 100)) AS fen FROM {Refund}
       WHERE {Refund.state} = 'done' AND {Refund.doneAt} >= ? AND {Refund.doneAt} < ?`,
    );
    this.waiting = database.statement<Omit<Part, 'name'>>(
      "SELECT COUNT(*) AS n, SUM(ROUND({Order.amount} * 100)) AS fen FROM {Order} WHERE {Order.status} = 'unpaid'",
    );
  }

  /** Returns a link to download the orders that `listdd` would list. */
  @Operation({ side: 'admin', gn: 'dddc', auth: 'admin', input: OrderExportInput, audit: null, rate: 'read' })
  file({ from, to, qk, scene, gs }: OrderExportInput): SuccessReply {
    const { first, last } = from || to ? this.days.read(from, to) : { first: '', last: '' };
    const search = new URLSearchParams({ export: 'orders' });
    for (const [name, value] of Object.entries({ from: first, to: last, qk, scene, as: gs === 'json' ? gs : '' }))
      if (value) search.set(name, value);
    const url = `/admin/orders?${search}`;
    return new SuccessReply('payment.found', { url, redirect: url });
  }

  /** Returns totals over all pages of what `listdd` would list. */
  @Operation({ side: 'admin', gn: 'ddhj', auth: 'admin', input: OrderListInput, audit: null, rate: 'read' })
  async totals(input: OrderListInput): Promise<SuccessReply> {
    const { counts, unpaid, paid, refunded } = await this.sums.of({ ...input, ...this.days.ends(input) });
    return new SuccessReply('payment.found', {
      ...counts,
      rmb_unpaid: toYuan(unpaid),
      rmb_paid: toYuan(paid),
      rmb_refunded: toYuan(refunded),
    });
  }

  @Operation({ side: 'admin', gn: 'ddtj', auth: 'admin', input: OrderStatisticsInput, audit: null, rate: 'read' })
  async show({ from, to }: OrderStatisticsInput, ctx: CallContext): Promise<SuccessReply> {
    const locale = localeOf(ctx.locale);
    const { first, last, since, until, starts } = this.days.read(from, to);
    const [days, gateways, scenes, refunded, waiting] = await Promise.all([
      this.income.between([...starts, until]),
      this.byGateway.all(since, until),
      this.byScene.all(since, until),
      this.refunded.get(since, until),
      this.waiting.get(),
    ]);
    return new SuccessReply('payment.found', {
      from: first,
      to: last,
      paid: {
        n: days.reduce((sum, { orders }) => sum + orders, 0),
        rmb: toYuan(days.reduce((sum, { income }) => sum + income, 0)),
      },
      refunded: amounts(refunded),
      unpaid: amounts(waiting),
      days: days.map(({ day, orders, income }) => ({ day, n: orders, rmb: toYuan(income) })),
      gateways: gateways.map((part) => ({ jk: part.name, jkmc: this.methods.gatewayName(part.name, locale), ...amounts(part) })),
      scenes: scenes.map((part) => ({ scene: part.name, ...amounts(part) })),
    });
  }
}

function amounts(part: Omit<Part, 'name'> | undefined): { n: number; rmb: string } {
  return { n: Number(part?.n ?? 0), rmb: toYuan(Number(part?.fen ?? 0)) };
}
