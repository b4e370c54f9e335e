import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { TextRef } from '../../common/index.js';
import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/**
 * Who did not accept it: `gateway`, its own checks, such as of the signature; `settlement`: what it says is not the order's;
 * `failed`: the gateway threw or hung.
 */
export type RejectedKind = 'gateway' | 'settlement' | 'failed';

/** A payment notification that was not accepted; the same one again counts here. */
@Entity('SVC_rejected_notify')
@Unique('UQ_SVC_rejected_notify', ['fingerprint'])
@Index('IX_SVC_rejected_notify_gateway', ['gateway', 'id'])
@Index('IX_SVC_rejected_notify_kind', ['kind', 'id'])
@Index('IX_SVC_rejected_notify_last', ['lastAt'])
export class RejectedNotification {
  @PrimaryGeneratedColumn() id!: number;
  /** Of gateway, kind, order, reason, address and day. */
  @StringColumn(64) fingerprint!: string;
  @StringColumn(64) gateway!: string;
  @StringColumn(16) kind!: RejectedKind;
  /** The order it names, whether or not there is one; nobody has verified it. */
  @StringColumn(40, { default: '' }) number!: string;
  /** The order of that number, if it was sent to that gateway. Others are anybody's words. */
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  /** With `settlement` the last part of the words' key, `payment.settle.…`; else what the gateway says, in Chinese where it can. */
  @StringColumn(300) reason!: string;
  /** The words of the gateway as texts of its own, for readers of any language; null where it only answered. */
  @JsonColumn({ nullable: true }) texts!: TextRef[] | null;
  @StringColumn(64, { default: '' }) ip!: string;
  /** What came the last time, secrets masked. */
  @TextColumn() content!: string;
  @IntegerColumn({ default: 1 }) times!: number;
  @TimeColumn({ name: 'first_at' }) firstAt!: Date;
  @TimeColumn({ name: 'last_at' }) lastAt!: Date;
}
