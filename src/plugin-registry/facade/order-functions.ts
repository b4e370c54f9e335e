import { Injectable } from '@nestjs/common';

import { executionContext, localeOf, translate } from '../../common/index.js';
import { CouponError, Coupons } from '../../coupons/index.js';
import { OrderClosing, OrderLimits, OrderList, OrderPlacing, Orders } from '../../payment/index.js';
import type { OrderOwner, OrderPrice, OrdersService, PriceRequest } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { partOf } from './list-part.js';
import { withPermission } from './with-permission.js';

/** Binds the orders to one plugin: its slug is recorded as the source of its actions. */
@Injectable()
export class OrderFunctionsFactory {
  constructor(
    private readonly orders: Orders,
    private readonly limits: OrderLimits,
    private readonly closing: OrderClosing,
    private readonly placing: OrderPlacing,
    private readonly coupons: Coupons,
    private readonly list: OrderList,
  ) {}

  serviceFor(plugin: PluginPackage): OrdersService {
    const { slug } = plugin;
    return withPermission<OrdersService>(plugin, 'orders', 'svc.orders', {
      create: async (request) => {
        await this.limits.take(request);
        return this.orders.toOrderSummary(await this.placing.place({ ...request, owner: ownerOf(request) }));
      },
      price: (request) => this.priceOf(request),
      find: async ({ text, scene, status, account, since, until, ...part } = {}) => {
        const choice = { ss: text, scene, qk: status, accountId: account, since, until };
        const { total, orders } = await this.list.page({ ...choice, ...partOf(part), sortOrder: 'desc' });
        return { total, orders: orders.map((order) => this.orders.toOrderSummary(order)) };
      },
      paid: async (query) => (await this.orders.paid(query)).map((order) => this.orders.toOrderSummary(order)),
      close: async (idOrNumber) => {
        const order = await this.orders.get(idOrNumber);
        return order !== null && (await this.closing.close(order.id, { source: slug }));
      },
      hold: async (idOrNumber, until) => {
        if (!(until instanceof Date) || Number.isNaN(until.getTime()))
          throw new Error(`${slug}: orders.hold needs a Date until which the order is held.`);
        const order = await this.orders.get(idOrNumber);
        return order !== null && (await this.closing.hold(order.id, until));
      },
      assign: (idOrNumber, owner) => this.orders.assign(idOrNumber, owner),
      get: async (idOrNumber) => {
        const order = await this.orders.get(idOrNumber);
        return order ? this.orders.toOrderSummary(order) : null;
      },
    });
  }

  private async priceOf({ amount, coupon = '', product, owner, locale = '' }: PriceRequest): Promise<OrderPrice> {
    const full = { original: amount, discount: 0, amount, refused: null };
    if (String(coupon).trim() === '') return full;
    try {
      const { discount } = await this.coupons.offer({ code: String(coupon), amount, product, owner: ownerOf({ owner }) });
      return { ...full, discount, amount: amount - discount };
    } catch (error) {
      if (!(error instanceof CouponError)) throw error;
      const { key, params } = error.told;
      return { ...full, refused: { code: error.code, text: translate(localeOf(locale), key, params) } };
    }
  }
}

/** The owner is the signed-in account, never a name, which another account may have later. */
function ownerOf({ owner }: { owner?: OrderOwner | null }): OrderOwner | null {
  const user = executionContext.getStore()?.call?.user;
  return owner === undefined ? (user ? { account: user.id } : null) : owner;
}
