import { Entity, PrimaryColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** An address permanently rejected by a mail server: nothing is sent to it until an administrator resends a message. */
@Entity('SVC_mail_bounce')
export class MailBounce {
  /** In lower case. */
  @PrimaryColumn({ type: 'varchar', length: 254 }) address!: string;
  /** Response of the server. */
  @StringColumn(300) reply!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
