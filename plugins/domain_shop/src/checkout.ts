import { createHash, randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import {
  NamesService,
  OrdersService,
  type CallContext,
  type HostRecord,
  type NameRecord,
  type OrderOwner,
  type PluginDatabase,
} from '@svc/sdk';

import type { Buyer } from './buyers.js';
import { productOf, type Offer } from './offers.js';
import { isRefusal } from './refusals.js';
import { SHOP_DATABASE } from './shop-database.js';
import { Sales, statusPath, type NewSale, type Sale } from './sales.js';

/** Scene of orders for names. */
export const SCENE = 'ymgm';

/** Buyer, offer and options of an order. */
export interface Asked {
  readonly buyer: Buyer;
  readonly owner: OrderOwner | null;
  readonly offer: Offer;
  /** Total shown to the buyer, in fen; empty if none was shown. */
  readonly seen: string;
  /** Payment type; empty: chosen on the payment page. */
  readonly type: string;
  /** Request id chosen by the client, which makes the order idempotent. */
  readonly request: string;
}

/** Item of an order: a name for a host, or the renewal of one. */
export type Ordered =
  | { readonly kind: 'buy'; readonly name: string; readonly prefix: string; readonly host: HostRecord; readonly folder: string }
  | { readonly kind: 'renew'; readonly name: NameRecord };

/** A created order. */
export interface Placed {
  /** Null if nothing is due. */
  readonly payUrl: string | null;
  readonly statusUrl: string;
  readonly orderNo: string;
  readonly isFree: boolean;
}

/** The price differs from the one shown. */
export class PriceChanged extends Error {}

/** Creates orders: the panel's order, the held name, and the shop's row, in one transaction. */
@Injectable()
export class Checkout {
  constructor(
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Sales) private readonly sales: Sales,
  ) {}

  /** Returns the order created by the same request before; null for none. */
  async repeated(ordered: Ordered, asked: Asked): Promise<Placed | null> {
    const sale = asked.request === '' ? null : await this.sales.byRequest(requestKey(ordered, asked));
    if (!sale) return null;
    const placed = await this.placed(sale);
    if (placed) return placed;
    // Closed a moment ago and not yet released: the request now creates a new order.
    await this.names.drop(sale.order_no);
    await this.sales.closed(sale.order_no);
    return null;
  }

  /** @throws PriceChanged; Error with `code`, such as TAKEN, LIMIT, COUPON_…, TOO_MANY_UNPAID */
  async place(ordered: Ordered, asked: Asked, ctx: CallContext): Promise<Placed> {
    const made = await this.repeated(ordered, asked);
    if (made) return made;
    try {
      return await this.db.transaction(() => this.write(ordered, asked, ctx));
    } catch (error) {
      // A concurrent duplicate request created the order first, or the buyer's own open order holds the name.
      const first = (await this.repeated(ordered, asked)) ?? (isRefusal(error, 'TAKEN') ? await this.ownOpen(ordered, asked) : null);
      if (first) return first;
      throw error;
    }
  }

  private async write(ordered: Ordered, asked: Asked, ctx: CallContext): Promise<Placed> {
    const { offer } = asked;
    const row = rowOf(ordered, asked);
    const statusUrl = statusPath(row.view_key);
    if (offer.amount === 0) {
      if (asked.seen !== '' && asked.seen !== '0') throw new PriceChanged();
      const nameId = ordered.kind === 'buy' ? (await this.names.give(wish(ordered, offer))).id : ordered.name.id;
      if (ordered.kind === 'renew') await this.names.renew(nameId, offer.months);
      const orderNo = `free-${randomBytes(8).toString('hex')}`;
      await this.sales.add({ ...row, order_no: orderNo, name_id: nameId, state: 'done' });
      return { orderNo, payUrl: null, statusUrl, isFree: true };
    }
    const order = await this.orders.create({
      user: row.buyer,
      owner: asked.owner,
      scene: SCENE,
      name: ctx.t(ordered.kind === 'buy' ? 'order_buy' : 'order_renew', { name: row.name, n: offer.months }).slice(0, 127),
      amount: offer.amount,
      coupon: offer.coupon,
      product: productOf(offer.zone.id),
      ...(asked.type === '' ? {} : { type: asked.type }),
      context: contextOf(row, offer),
      ip: ctx.ip,
    });
    if (asked.seen !== '' && asked.seen !== String(order.amount)) throw new PriceChanged();
    if (ordered.kind === 'buy') await this.names.hold(wish(ordered, offer), order.ddh);
    await this.sales.add({ ...row, order_no: order.ddh, amount: order.amount });
    // An order covered by its coupon is already paid.
    return { orderNo: order.ddh, payUrl: order.status === 'unpaid' ? order.pay_url : null, statusUrl, isFree: false };
  }

  /** Returns the buyer's own open order for the same name. */
  private async ownOpen(ordered: Ordered, { buyer }: Asked): Promise<Placed | null> {
    if (ordered.kind !== 'buy') return null;
    const sale = await this.sales.openOf(ordered.name);
    const isHis =
      sale !== null && (sale.host_id === ordered.host.id || (buyer.customer !== null && sale.customer_id === buyer.customer.id));
    const placed = isHis ? await this.placed(sale) : null;
    return placed?.payUrl ? placed : null;
  }

  /** Null for a closed order. */
  private async placed(sale: Sale): Promise<Placed | null> {
    const isFree = sale.order_no.startsWith('free-');
    const order = isFree ? null : await this.orders.get(sale.order_no);
    if (!isFree && (order === null || order.status === 'closed')) return null;
    const payUrl = order?.status === 'unpaid' ? order.pay_url : null;
    return { orderNo: sale.order_no, payUrl, statusUrl: statusPath(sale.view_key), isFree };
  }
}

function wish({ prefix, host, folder }: Extract<Ordered, { kind: 'buy' }>, { zone }: Offer) {
  return { zone: zone.id, prefix, host: host.id, folder };
}

function rowOf(ordered: Ordered, asked: Asked): Omit<NewSale, 'order_no'> {
  const { buyer, offer, request } = asked;
  const request_key = request === '' ? null : requestKey(ordered, asked);
  const customer_id = buyer.customer?.id ?? null;
  const view_key = randomBytes(16).toString('hex');
  const { zone, months } = offer;
  const common = { zone: zone.id, months, amount: 0, view_key, request_key, state: 'pending' as const, customer_id };
  if (ordered.kind === 'buy') {
    const { name, prefix, host, folder } = ordered;
    return { ...common, kind: 'buy', name, prefix, folder, name_id: null, host_id: host.id, buyer: host.user, shown: 'no' };
  }
  const { name } = ordered;
  const username = name.user || buyer.customer?.username || '';
  return {
    ...common,
    kind: 'renew',
    name: name.name,
    prefix: name.prefix,
    folder: '',
    name_id: name.id,
    host_id: name.host,
    buyer: username,
    shown: 'yes',
  };
}

/** Context of the order, with the field names that programs know. Source: docs/panel-api.md "The domain shop". */
function contextOf(sale: Omit<NewSale, 'order_no'>, { zone, months }: Offer): Record<string, unknown> {
  const { name, prefix, folder, kind, buyer, name_id } = sale;
  return {
    ...{ user: buyer, url_zd: zone.domain, url_qz: prefix, url_zy: name, path: folder, kind, months, name_id },
    done_url: statusPath(sale.view_key),
  };
}

function requestKey(ordered: Ordered, { buyer, offer, type, request }: Asked): string {
  const what = ordered.kind === 'buy' ? [ordered.name, ordered.host.id, ordered.folder] : [ordered.name.id];
  const parts = [buyer.key, request, ordered.kind, ...what, offer.zone.id, offer.months, offer.coupon.toUpperCase(), type];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
