import { Entity, PrimaryColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** An address a mail server refused for good: nothing more is sent there until somebody has a message sent again. */
@Entity('SVC_mail_bounce')
export class MailBounce {
  /** In lower case. */
  @PrimaryColumn({ type: 'varchar', length: 254 }) address!: string;
  /** What the server said. */
  @StringColumn(300) reply!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
