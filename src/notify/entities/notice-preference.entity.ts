import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn } from '../../database/index.js';
import type { NoticeSide } from '../notice.js';

/** Notification preferences of a person; without a row the defaults apply. */
@Entity('SVC_notice_preference')
@Unique('UQ_SVC_notice_preference_owner', ['side', 'accountId'])
export class NoticePreference {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: NoticeSide;
  /** `SVC_zj.id`, `SVC_admin.id` on the admin side, `SVC_plugin_user.id` of a customer. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** Address for mails; null for the account's address. */
  @StringColumn(254, { nullable: true }) email!: string | null;
  /** Language of mails and channel messages; empty for that of the installation. */
  @StringColumn(10, { default: '' }) locale!: string;
  /** Whether many notices are combined into one message. */
  @FlagColumn({ default: true }) digest!: boolean;
  /** Disabled combinations of kind and way, such as `traffic.mail`. */
  @JsonColumn() off!: string[];
}
