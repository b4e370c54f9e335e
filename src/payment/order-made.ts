import { toYuan } from '../common/index.js';
import type { Database } from '../database/index.js';
import { SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import type { Order } from './entities/index.js';
import { payPagePath } from './order-record.js';

/** Key of an order an administrator makes, by the field `qqh`: sent again, it is the same order. Undefined where he sends none. */
export function adminRequestKey(qqh: string, ctx: CallContext): string | undefined {
  return qqh === '' ? undefined : `admin:${ctx.admin!.id}:${qqh}`;
}

/** Has the operation log tell that an order was made. */
export function noteOrderMade(database: Database, order: Order, more: { readonly type?: string } = {}): void {
  const { id, number, user, ownerId, scene, name, amount } = order;
  database.noteChange({ of: 'order', id }, null, { number, user, hostId: ownerId, scene, name, amount: toYuan(amount), ...more });
}

/**
 * What an order that was made is answered with.
 *
 * @param text of the answer, told the user, the name and the amount
 * @param more what the answer has beside it, such as another `redirect`
 */
export function orderMadeReply(text: string, order: Order, more: object): SuccessReply {
  const { id, number, name, user, amount, status } = order;
  const way =
    status === 'unpaid' ? { redirect: payPagePath(order), pay_path: payPagePath(order) } : { redirect: `/user/order?ddh=${number}` };
  const rmb = toYuan(amount);
  return new SuccessReply(text, { id, ddh: number, rmb, ...way, ...more }, { user, name, rmb });
}
