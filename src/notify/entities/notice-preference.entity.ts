import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn } from '../../database/index.js';
import type { NoticeSide } from '../notice.js';

/** How somebody wants to be told. Nobody who has not said so has a row. */
@Entity('SVC_notice_preference')
@Unique('UQ_SVC_notice_preference_owner', ['side', 'accountId'])
export class NoticePreference {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: NoticeSide;
  /** `SVC_zj.id`, `SVC_admin.id` on the admin side, `SVC_plugin_user.id` of a customer. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** Where mails go; null: to the address of the account, if there is one. */
  @StringColumn(254, { nullable: true }) email!: string | null;
  /** Language of mails and of what is sent elsewhere; empty: that of the installation. */
  @StringColumn(10, { default: '' }) locale!: string;
  /** Whether many at once become one message. */
  @FlagColumn({ default: true }) digest!: boolean;
  /** What is not wanted: kind and way, such as `traffic.mail`. */
  @JsonColumn() off!: string[];
}
