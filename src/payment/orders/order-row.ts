import { fenTransformer } from '../../common/index.js';
import { fromSqlTime } from '../../database/index.js';
import type { OrderStatus } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';

/** Columns of {@link OrderRow}, for SQL statements. */
export const ORDER_COLUMNS = `{Order}.{Order.id} AS id, {Order.number} AS number, {Order.user} AS user,
  {Order.ownerKind} AS ownerKind, {Order.ownerId} AS ownerId, {Order.name} AS name,
  {Order.amount} AS amount, {Order.coupon} AS coupon, {Order.discount} AS discount, {Order.type} AS type, {Order.scene} AS scene,
  {Order.status} AS status, {Order.context} AS context,
  {Order.accessKey} AS accessKey, {Order.ip} AS ip, {Order.requestKey} AS requestKey, {Order.createdAt} AS createdAt,
  {Order.paidAt} AS paidAt, {Order.heldUntil} AS heldUntil`;

/** Condition for orders that are not held at a given time. */
export const NOT_HELD = '({Order.heldUntil} IS NULL OR {Order.heldUntil} < ?)';

/** An order row as returned by the driver. */
export interface OrderRow {
  id: number;
  number: string;
  user: string;
  ownerKind: Order['ownerKind'];
  ownerId: number | null;
  name: string;
  /** Yuan. */
  amount: string | number;
  coupon: string | null;
  /** Yuan. */
  discount: string | number;
  type: string;
  scene: string;
  status: OrderStatus;
  context: string;
  accessKey: string;
  ip: string;
  requestKey: string | null;
  createdAt: string;
  paidAt: string | null;
  heldUntil: string | null;
}

/** Converts a row to an order in place, for speed in lists; the row must not be used afterwards. */
export function orderFromRow(row: OrderRow): Order {
  const { amount, discount, context, createdAt, paidAt, heldUntil } = row;
  const order = row as unknown as Order;
  order.amount = fenTransformer.from(amount)!;
  order.discount = fenTransformer.from(discount)!;
  order.context = JSON.parse(context) as Record<string, unknown>;
  order.createdAt = fromSqlTime(createdAt);
  order.paidAt = fromSqlTime(paidAt);
  order.heldUntil = fromSqlTime(heldUntil);
  return order;
}
