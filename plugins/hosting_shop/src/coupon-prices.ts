import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrdersService, SVC_FACADE, type CallContext, type OrderProduct, type SvcFacade } from '@svc/sdk';

import { Plans } from './plans.js';
import type { Quote } from './quote.js';

/** Told while the buyer's own unpaid order, which the next one replaces, may hold the use. */
const MAY_BE_HIS_OWN: readonly string[] = ['COUPON_USED_UP', 'COUPON_USED_BY_YOU'];

/** A cart with a coupon, or why it does not count. */
export interface CouponQuote {
  readonly quote: Quote;
  /** Empty where the coupon counts. */
  readonly refused: string;
  /** Only the order itself will tell: its price is not known before. */
  readonly isOpen: boolean;
}

/** What the panel's coupons take off carts. */
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

  /** @param customerId who is signed in as a customer; null: nobody */
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

/** What orders call a plan. */
export function productOf(planId: number): string {
  return `hosting_shop:${planId}`;
}
