import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { TextRef } from '../../common/index.js';
import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/**
 * What rejected it: `gateway`, its own checks, such as of the signature; `settlement`: it does not match the order;
 * `failed`: the gateway threw or timed out.
 */
export type RejectedKind = 'gateway' | 'settlement' | 'failed';

/** A rejected payment notification; repetitions are counted. */
@Entity('SVC_rejected_notify')
@Unique('UQ_SVC_rejected_notify', ['fingerprint'])
@Index('IX_SVC_rejected_notify_gateway', ['gateway', 'id'])
@Index('IX_SVC_rejected_notify_kind', ['kind', 'id'])
@Index('IX_SVC_rejected_notify_last', ['lastAt'])
export class RejectedNotification {
  @PrimaryGeneratedColumn() id!: number;
  /** Hash of gateway, kind, order, reason, address and day. */
  @StringColumn(64) fingerprint!: string;
  @StringColumn(64) gateway!: string;
  @StringColumn(16) kind!: RejectedKind;
  /** Claimed order number, unverified; the order may not exist. */
  @StringColumn(40, { default: '' }) number!: string;
  /** The order of that number, if it was sent to that gateway. Otherwise the claim is not trusted. */
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  /** For `settlement` the last part of the text key, `payment.settle.…`; else the gateway's message, in Chinese if available. */
  @StringColumn(300) reason!: string;
  /** The gateway's messages as its own texts, for readers of any language; null if it only sent a response. */
  @JsonColumn({ nullable: true }) texts!: TextRef[] | null;
  @StringColumn(64, { default: '' }) ip!: string;
  /** Content of the last one, with secrets masked. */
  @TextColumn() content!: string;
  @IntegerColumn({ default: 1 }) times!: number;
  @TimeColumn({ name: 'first_at' }) firstAt!: Date;
  @TimeColumn({ name: 'last_at' }) lastAt!: Date;
}
