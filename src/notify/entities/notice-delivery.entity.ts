import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import type { TextRef } from '../../common/index.js';
import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { NoticeSide } from '../notice.js';

/** How far a message is: `dropped` is one whose notice was deleted before it went out. */
export type DeliveryState = 'waiting' | 'sent' | 'failed' | 'dropped';

/** A notice on its way out of the panel. */
@Entity('SVC_notice_delivery')
@Index('IX_SVC_notice_delivery_state', ['state', 'id'])
@Index('IX_SVC_notice_delivery_flood', ['side', 'accountId', 'route', 'createdAt'])
@Index('IX_SVC_notice_delivery_created', ['createdAt'])
export class NoticeDelivery {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'notice_id' }) noticeId!: number;
  /** Whose notice it is. */
  @StringColumn(10) side!: NoticeSide;
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  @StringColumn(64) username!: string;
  /** `mail`, or `channel:` and the id of one. */
  @StringColumn(40) route!: string;
  /** Id of the channel; null for a mail. */
  @IntegerColumn({ name: 'channel_id', nullable: true }) channelId!: number | null;
  /** The address, or the name of the channel. */
  @StringColumn(254) target!: string;
  @StringColumn(250) title!: string;
  @StringColumn(20) state!: DeliveryState;
  @IntegerColumn({ default: 0 }) attempts!: number;
  /** What the latest attempt failed with. */
  @JsonColumn({ nullable: true }) error!: TextRef | null;
  /** Waits to go out together with others. */
  @FlagColumn({ default: false }) digest!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
}
