import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { OrderStatus } from '../../sdk/index.js';

/** An order: what somebody wants to pay for, through which gateway, and how far that got. */
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
  /** Who is said to have ordered: a text for people. Whose the order is, {@link ownerKind} and {@link ownerId} say. */
  @StringColumn(64, { name: 'user' }) user!: string;
  /** Whom {@link ownerId} names: a hosting account, or a customer of plugins (`SVC_plugin_user`). Null: it is nobody's. */
  @StringColumn(16, { name: 'owner_kind', nullable: true }) ownerKind!: 'account' | 'customer' | null;
  @IntegerColumn({ name: 'owner_id', nullable: true }) ownerId!: number | null;
  @StringColumn(255, { name: 'name' }) name!: string;
  /** Fen to be paid: what is left of the price after {@link discount}. */
  @FenColumn({ name: 'rmb' }) amount!: number;
  /** Code of the coupon it was made with; null: none. */
  @StringColumn(32, { name: 'yhq', nullable: true }) coupon!: string | null;
  /** Fen that coupon took off. */
  @FenColumn({ name: 'yh', default: 0 }) discount!: number;
  /** Payment type string `{slug}__{method}`: the one chosen last, once paid the one it was paid through; empty until one was chosen. */
  @StringColumn(128, { name: 'ff', default: '' }) type!: string;
  @StringColumn(32, { name: 'scene' }) scene!: string;
  @StringColumn(20, { name: 'qk', default: 'unpaid' }) status!: OrderStatus;
  /** What the scene needs to know; handed to the listeners of `order.paid`. */
  @JsonColumn({ name: 'cs' }) context!: Record<string, unknown>;
  /** Key of the pay page's link: who has it may pay. */
  @StringColumn(64, { name: 'access_key' }) accessKey!: string;
  @StringColumn(64, { name: 'ip', default: '' }) ip!: string;
  /** Names the request that made it, and whose it was: the same one again makes no second order. */
  @StringColumn(200, { name: 'request_key', nullable: true }) requestKey!: string | null;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
  @TimeColumn({ name: 'paid_at', nullable: true }) paidAt!: Date | null;
  /** Until when it is not closed by itself: somebody has yet to look at its payment. */
  @TimeColumn({ name: 'held_until', nullable: true }) heldUntil!: Date | null;
}
