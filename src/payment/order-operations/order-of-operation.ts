import type { CallContext } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import type { OrderActor, Orders } from '../orders/index.js';

/** Returns the order of an operation. @throws PaymentError ORDER_NOT_FOUND */
export async function existingOrder(orders: Orders, id: number): Promise<Order> {
  const order = await orders.get(id);
  if (!order) throw new PaymentError('ORDER_NOT_FOUND');
  return order;
}

/** Returns the calling administrator as the actor of history entries. */
export function administratorOf(ctx: CallContext): OrderActor {
  return { source: 'admin', actor: ctx.admin?.username };
}
