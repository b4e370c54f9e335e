import { toYuan } from '../../common/index.js';
import type { OrderOwner, OrderRecord, OrderSummary } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';

import { parsePayType } from './payment-type.js';

/**
 * Returns the order as passed to gateways and listeners.
 *
 * @param siteUrl base URL of the panel, without a trailing slash
 */
export function toOrderRecord(order: Order, siteUrl: string): OrderRecord {
  const type = parsePayType(order.type);
  return {
    id: order.id,
    out_trade_no: order.number,
    ddh: order.number,
    name: order.name,
    money: toYuan(order.amount),
    amount: order.amount,
    type: order.type,
    scene: order.scene,
    user: order.user,
    siteurl: siteUrl,
    // Callback URLs have no query: WeChat rejects one, and Epay would include it in the signature.
    notify_url: type ? `${siteUrl}/pay/${type.slug}/notify` : '',
    return_url: type ? `${siteUrl}/pay/${type.slug}/return` : '',
    context: order.context,
  };
}

/** Returns the owner of an order; null if it has none. */
export function orderOwner({ ownerKind, ownerId }: Pick<Order, 'ownerKind' | 'ownerId'>): OrderOwner | null {
  if (ownerKind === null || ownerId === null) return null;
  return ownerKind === 'account' ? { account: ownerId } : { customer: ownerId };
}

/** Returns the columns for an owner. */
export function ownerColumns(owner: OrderOwner | null): Pick<Order, 'ownerKind' | 'ownerId'> {
  if (owner === null) return { ownerKind: null, ownerId: null };
  return 'account' in owner ? { ownerKind: 'account', ownerId: owner.account } : { ownerKind: 'customer', ownerId: owner.customer };
}

/** Returns the path of an order's payment page; its holder may view and pay the order. */
export function payPagePath(order: Pick<Order, 'number' | 'accessKey'>, part = ''): string {
  return `/pay/order/${order.number}${part}?k=${order.accessKey}`;
}

/** Returns the order with its state, as returned by `svc.orders`. */
export function toOrderSummary(order: Order, siteUrl: string): OrderSummary {
  return {
    ...toOrderRecord(order, siteUrl),
    status: order.status,
    owner: orderOwner(order),
    coupon: order.coupon,
    discount: order.discount,
    pay_url: `${siteUrl}${payPagePath(order)}`,
    createdAt: order.createdAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}

/** Returns the row as exposed by `svc.event()`: column names of the contract, without the payment page's key. */
export function orderEventRow(order: Order): Record<string, unknown> {
  return {
    id: order.id,
    ddh: order.number,
    user: order.user,
    owner_kind: order.ownerKind,
    owner_id: order.ownerId,
    name: order.name,
    rmb: toYuan(order.amount),
    ff: order.type,
    scene: order.scene,
    qk: order.status,
    cs: order.context,
    ip: order.ip,
    date: order.createdAt.toISOString(),
  };
}
