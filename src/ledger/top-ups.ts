import { Injectable, type OnModuleInit } from '@nestjs/common';

import { CORE_OWNER, toYuan, translate, type Locale } from '../common/index.js';
import { DurableListeners } from '../hooks/index.js';
import { OrderLimits, Orders, orderOwner, type Order } from '../payment/index.js';
import type { OrderOwner, OrderRecord } from '../sdk/index.js';

import { CreditHolders } from './credit-holders.js';
import { LedgerError } from './errors.js';
import { causeOf, Ledger } from './ledger.js';
import { TOP_UP_SCENE, topUpOf, type TopUpContext } from './top-up-scene.js';

/** Minimum and maximum of one top-up, in fen. */
export const TOP_UP = { least: 100, most: 5_000_000 };

/** A requested top-up. */
export interface TopUpRequest {
  readonly owner: OrderOwner;
  /** Fen. */
  readonly amount: number;
  /** Idempotency key including its owner: a repeated request returns the same order. */
  readonly request?: string;
  readonly ip: string;
  /** Path to return to after the payment. */
  readonly doneUrl?: string;
}

/** Top-up orders and their delivery, which is idempotent per order. */
@Injectable()
export class TopUps implements OnModuleInit {
  constructor(
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
    private readonly orders: Orders,
    private readonly limits: OrderLimits,
    private readonly listeners: DurableListeners,
  ) {}

  onModuleInit(): void {
    this.listeners.register({ owner: CORE_OWNER, hook: 'order.paid', id: 'credit', priority: 0, listener: (order) => this.deliver(order) });
  }

  /** @throws LedgerError NO_HOLDER, TOP_UP_AMOUNT, REQUEST_DIFFERS; PaymentError TOO_MANY_UNPAID */
  async create({ owner, amount, request, ip, doneUrl }: TopUpRequest, locale: Locale): Promise<Order> {
    const { name } = await this.holders.of(owner);
    if (!Number.isSafeInteger(amount) || amount < TOP_UP.least || amount > TOP_UP.most) throw topUpRefused();
    await this.limits.take({ user: name, ip });
    const context: TopUpContext = { top_up: { fen: amount } };
    const order = await this.orders.create({
      user: name,
      owner,
      scene: TOP_UP_SCENE,
      name: translate(locale, 'ledger.order_name', { rmb: toYuan(amount) }),
      amount,
      context: { ...context, ...(doneUrl !== undefined && { done_url: doneUrl }) },
      ip,
      ...(request ? { requestKey: `${TOP_UP_SCENE}:${request}` } : {}),
    });
    if (order.amount !== amount || topUpOf(order.context) !== amount) throw new LedgerError('REQUEST_DIFFERS');
    return order;
  }

  /** @throws LedgerError NO_HOLDER, TOO_MUCH: a retry or an administrator may resolve them */
  async deliver({ id, scene, amount }: Pick<OrderRecord, 'id' | 'scene' | 'amount'>): Promise<void> {
    if (scene !== TOP_UP_SCENE || (await this.ledger.movedBy(causeOf.topUp(id)))) return;
    const order = await this.orders.get(id);
    // Uses the paid amount, not the context, so that orders of this scene created by plugins or administrators are credited as well.
    const of = await this.holders.of(order && orderOwner(order));
    await this.ledger.move({ of, amount, against: 'gateway', kind: 'top_up', cause: causeOf.topUp(id), orderId: id });
  }
}

function topUpRefused(): LedgerError {
  const params = { least: toYuan(TOP_UP.least), most: toYuan(TOP_UP.most) };
  return new LedgerError('TOP_UP_AMOUNT', params, { rmb: { key: 'ledger.top_up_amount', params } });
}
