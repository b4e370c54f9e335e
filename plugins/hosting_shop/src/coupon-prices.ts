import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrdersService, SVC_FACADE, type CallContext, type OrderProduct, type SvcFacade } from '@svc/sdk';

import { Plans } from './plans.js';
import type { Quote } from './quote.js';

/** Codes that may be caused by the buyer's own unpaid order, which the next order replaces. */
const MAY_BE_HIS_OWN: readonly string[] = ['COUPON_USED_UP', 'COUPON_USED_BY_YOU'];

/** A cart with a coupon, or why the coupon was rejected. */
export interface CouponQuote {
  readonly quote: Quote;
  /** Empty if the coupon was accepted. */
  readonly refused: string;
  /** Only the order itself can decide: its price is unknown before. */
  readonly isOpen: boolean;
}

/** Computes coupon discounts of carts. */
@Injectable()
export class CouponPrices implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('order.products', async (products: OrderProduct[]) => [
      ...products,
      ...(await this.plans.all()).map(({ id, name }) => ({ id: productOf(id), name })),
    ]);
  }

  /** @param customerId the signed-in customer; null for none */
  async of(full: Quote, coupon: string, customerId: number | null, ctx: CallContext): Promise<CouponQuote> {
    if (coupon === '') return { quote: full, refused: '', isOpen: false };
    const quote = { ...full, coupon };
    if (full.total === 0) return { quote, refused: ctx.t('coupon_free'), isOpen: false };
    const { amount, discount, refused } = await this.orders.price({
      amount: full.total,
      coupon,
      product: productOf(full.plan.id),
      locale: ctx.locale,
      ...(customerId === null ? {} : { owner: { customer: customerId } }),
    });
    if (!refused) return { quote: { ...quote, discount, total: amount }, refused: '', isOpen: false };
    return { quote, refused: refused.text, isOpen: MAY_BE_HIS_OWN.includes(refused.code) };
  }
}

/** Product id of a plan in orders. */
export function productOf(planId: number): string {
  return `hosting_shop:${planId}`;
}
