import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  NamesService,
  OrdersService,
  SVC_FACADE,
  type CallContext,
  type NameZone,
  type OrderOwner,
  type OrderProduct,
  type SvcFacade,
} from '@svc/sdk';

/** Times of a zone somebody may order at once. */
const MOST_TIMES = 5;
const MOST_MONTHS = 120;

/** What an order costs. Money is fen. */
export interface Offer {
  readonly zone: NameZone;
  readonly months: number;
  /** Without the coupon. */
  readonly amount: number;
  readonly discount: number;
  readonly coupon: string;
  /** Why the coupon does not count; empty where it does, or none was named. */
  readonly refused: string;
}

/** Zones on sale, and what their names cost: nobody else says a price. */
@Injectable()
export class Offers implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(OrdersService) private readonly orders: OrdersService,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('order.products', async (products: OrderProduct[]) => [
      ...products,
      ...(await this.names.zones()).map(({ id, domain }) => ({ id: productOf(id), name: `*.${domain}` })),
    ]);
  }

  async onSale(): Promise<NameZone[]> {
    return (await this.names.zones()).filter((zone) => zone.onSale);
  }

  /** A zone by its id or its domain; null for one that is not on sale. @param isOwned its names are renewed, on sale or not */
  async zone(idOrDomain: string, isOwned = false): Promise<NameZone | null> {
    const wanted = idOrDomain.trim().toLowerCase();
    const zones = await this.names.zones();
    return zones.find(({ id, domain, onSale }) => (onSale || isOwned) && (String(id) === wanted || domain === wanted)) ?? null;
  }

  /** How often the months of a zone can be ordered at once. */
  times({ months }: NameZone): number[] {
    const most = months === 0 ? 1 : Math.max(1, Math.min(MOST_TIMES, Math.floor(MOST_MONTHS / months)));
    return Array.from({ length: most }, (_, at) => at + 1);
  }

  /** What so many times of a zone cost. */
  async of(zone: NameZone, times: string | undefined, coupon: string, owner: OrderOwner | null, ctx: CallContext): Promise<Offer> {
    const n = this.times(zone).find((each) => String(each) === times) ?? 1;
    const full = { zone, months: zone.months * n, amount: zone.price * n, discount: 0, coupon: '', refused: '' };
    const typed = coupon.trim().slice(0, 64);
    if (typed === '' || full.amount === 0) return full;
    const asked = { amount: full.amount, coupon: typed, product: productOf(zone.id), owner, locale: ctx.locale };
    const { discount, refused } = await this.orders.price(asked);
    return refused ? { ...full, coupon: typed, refused: refused.text } : { ...full, coupon: typed, discount };
  }
}

/** What orders call a zone. */
export const productOf = (zone: number): string => `domain_shop:${zone}`;
