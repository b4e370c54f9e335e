import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import type { TextRef } from '../../common/index.js';
import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { NoticeSide } from '../notice.js';

/** State of a message; `dropped` if its notice was deleted before it was sent. */
export type NoticeDeliveryState = 'waiting' | 'sent' | 'failed' | 'dropped';

/** A message of a notice to be sent by mail or channel. */
@Entity('SVC_notice_delivery')
@Index('IX_SVC_notice_delivery_state', ['state', 'id'])
@Index('IX_SVC_notice_delivery_flood', ['side', 'accountId', 'route', 'createdAt'])
@Index('IX_SVC_notice_delivery_created', ['createdAt'])
export class NoticeDelivery {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'notice_id' }) noticeId!: number;
  /** Recipient of the notice. */
  @StringColumn(10) side!: NoticeSide;
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  @StringColumn(64) username!: string;
  /** `mail`, or `channel:` and the channel's id. */
  @StringColumn(40) route!: string;
  /** Id of the channel; null for mail. */
  @IntegerColumn({ name: 'channel_id', nullable: true }) channelId!: number | null;
  /** The address, or the name of the channel. */
  @StringColumn(254) target!: string;
  @StringColumn(250) title!: string;
  @StringColumn(20) state!: NoticeDeliveryState;
  @IntegerColumn({ default: 0 }) attempts!: number;
  /** Error of the latest attempt. */
  @JsonColumn({ nullable: true }) error!: TextRef | null;
  /** Whether it waits to be sent together with others. */
  @FlagColumn({ default: false }) digest!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
}
