import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { OrderStatus } from '../../sdk/index.js';

/** An order: what is paid for, through which gateway, and its state. */
@Entity('SVC_dd')
@Unique('UQ_SVC_dd_ddh', ['number'])
@Index('UQ_SVC_dd_request_key', ['requestKey'], { unique: true })
@Index('IX_SVC_dd_user', ['user', 'id'])
@Index('IX_SVC_dd_owner', ['ownerKind', 'ownerId', 'id'])
@Index('IX_SVC_dd_qk', ['status', 'id'])
@Index('IX_SVC_dd_sums', ['status', 'amount'])
@Index('IX_SVC_dd_scene', ['scene', 'id'])
@Index('IX_SVC_dd_date', ['createdAt', 'id'])
@Index('IX_SVC_dd_paid', ['paidAt', 'id'])
export class Order {
  @PrimaryGeneratedColumn() id!: number;
  /** Order number: time to the second plus random digits. */
  @StringColumn(40, { name: 'ddh' }) number!: string;
  /** Display name of the orderer. The actual owner is {@link ownerKind} and {@link ownerId}. */
  @StringColumn(64, { name: 'user' }) user!: string;
  /** Kind of {@link ownerId}: a hosting account, or a customer of plugins (`SVC_plugin_user`). Null: no owner. */
  @StringColumn(16, { name: 'owner_kind', nullable: true }) ownerKind!: 'account' | 'customer' | null;
  @IntegerColumn({ name: 'owner_id', nullable: true }) ownerId!: number | null;
  @StringColumn(255, { name: 'name' }) name!: string;
  /** Amount to pay in fen: the price less {@link discount}. */
  @FenColumn({ name: 'rmb' }) amount!: number;
  /** Code of the coupon used; null: none. */
  @StringColumn(32, { name: 'yhq', nullable: true }) coupon!: string | null;
  /** Discount by that coupon, in fen. */
  @FenColumn({ name: 'yh', default: 0 }) discount!: number;
  /** Payment type string `{slug}__{method}`: the last one chosen, after payment the one it was paid through; empty until one was chosen. */
  @StringColumn(128, { name: 'ff', default: '' }) type!: string;
  @StringColumn(32, { name: 'scene' }) scene!: string;
  @StringColumn(20, { name: 'qk', default: 'unpaid' }) status!: OrderStatus;
  /** Data for the scene; passed to the listeners of `order.paid`. */
  @JsonColumn({ name: 'cs' }) context!: Record<string, unknown>;
  /** Key in the payment page's URL: its holder may pay. */
  @StringColumn(64, { name: 'access_key' }) accessKey!: string;
  @StringColumn(64, { name: 'ip', default: '' }) ip!: string;
  /** Idempotency key including its owner: a repeated request creates no second order. */
  @StringColumn(200, { name: 'request_key', nullable: true }) requestKey!: string | null;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
  @TimeColumn({ name: 'paid_at', nullable: true }) paidAt!: Date | null;
  /** Until when it is not closed automatically, because its payment still has to be checked. */
  @TimeColumn({ name: 'held_until', nullable: true }) heldUntil!: Date | null;
}
