import { toYuan } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import { SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';

import { payPagePath } from './order-record.js';

/** Returns the idempotency key of an administrator's order, from the field `qqh`; undefined if it is empty. */
export function adminRequestKey(qqh: string, ctx: CallContext): string | undefined {
  return qqh === '' ? undefined : `admin:${ctx.admin!.id}:${qqh}`;
}

/** Records the creation of an order for the operation log. */
export function noteOrderMade(database: Database, order: Order, more: { readonly type?: string } = {}): void {
  const { id, number, user, ownerId, scene, name, amount } = order;
  database.noteChange({ of: 'order', id }, null, { number, user, hostId: ownerId, scene, name, amount: toYuan(amount), ...more });
}

/**
 * Returns the response to a created order.
 *
 * @param text text key of the response, with user, name and amount as parameters
 * @param more further fields of the response, such as another `redirect`
 */
export function orderMadeReply(text: string, order: Order, more: object): SuccessReply {
  const { id, number, name, user, amount, status } = order;
  const way =
    status === 'unpaid' ? { redirect: payPagePath(order), pay_path: payPagePath(order) } : { redirect: `/user/order?ddh=${number}` };
  const rmb = toYuan(amount);
  return new SuccessReply(text, { id, ddh: number, rmb, ...way, ...more }, { user, name, rmb });
}
