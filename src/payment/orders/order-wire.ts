import { legacyTime, toYuan } from '../../common/index.js';
import type { Order } from '../entities/index.js';

/**
 * Returns an order in the format of the panel's lists, without its payment page's key; `je`, `zffs` and `lx` are older aliases of
 * `rmb`, `ff` and `scene`. `yj` is the price before the coupon `yhq` reduced it by `yh`. Source: docs/panel-api.md "Orders".
 *
 * @param zone time zone of the times
 * @param methodName display name of the payment method
 */
export function orderWire(order: Order, zone: string, methodName = order.type): Record<string, unknown> {
  const { amount, discount, coupon } = order;
  const rmb = toYuan(amount);
  return {
    id: order.id,
    ddh: order.number,
    user: order.user,
    name: order.name,
    rmb,
    yj: toYuan(amount + discount),
    yh: toYuan(discount),
    yhq: coupon,
    ff: order.type,
    ffmc: methodName,
    spname: productName(order),
    scene: order.scene,
    qk: order.status,
    date: legacyTime(order.createdAt, zone),
    paid_at: order.paidAt ? legacyTime(order.paidAt, zone) : null,
    je: rmb,
    zffs: order.type,
    lx: order.scene,
  };
}

/** Product name, as shown by older pages. */
function productName({ scene, name }: Order): string {
  if (scene === 'yjbs') return `一键部署-${name}`;
  return scene === 'ymgm' ? '域名购置' : name;
}
