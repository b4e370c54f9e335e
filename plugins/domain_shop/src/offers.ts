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

/** Maximum number of a zone's periods per order, and maximum months. */
const MAX_TERMS = 5;
const MAX_MONTHS = 120;

/** Price of an order. Money is fen. */
export interface Offer {
  readonly zone: NameZone;
  readonly months: number;
  /** Before the coupon. */
  readonly amount: number;
  readonly discount: number;
  readonly coupon: string;
  /** Why the coupon was rejected; empty if it was accepted or none was given. */
  readonly refused: string;
}

/** Zones on sale and their prices; the only place where prices are computed. */
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

  /** Returns a zone by id or domain; null if it is not on sale. @param isOwned allows renewals of names in a zone no longer on sale */
  async zone(idOrDomain: string, isOwned = false): Promise<NameZone | null> {
    const wanted = idOrDomain.trim().toLowerCase();
    const zones = await this.names.zones();
    return zones.find(({ id, domain, onSale }) => (onSale || isOwned) && (String(id) === wanted || domain === wanted)) ?? null;
  }

  /** Numbers of a zone's periods that can be ordered. */
  times({ months }: NameZone): number[] {
    const terms = months === 0 ? 1 : Math.max(1, Math.min(MAX_TERMS, Math.floor(MAX_MONTHS / months)));
    return Array.from({ length: terms }, (_, at) => at + 1);
  }

  /** Computes the price of a number of periods. */
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

/** Product id of a zone in orders. */
export const productOf = (zone: number): string => `domain_shop:${zone}`;
