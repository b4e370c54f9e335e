import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** Number of accounts that jobs deleted on a day. */
@Entity('SVC_deletion_day')
export class DeletionDay {
  /** `YYYY-MM-DD` in the time zone of the installation. */
  @PrimaryColumn({ type: 'varchar', length: 10 }) day!: string;
  /** Number of accounts at the start of the day. */
  @IntegerColumn() accounts!: number;
  /** Deletions that jobs have started. */
  @IntegerColumn({ default: 0 }) done!: number;
  /** Deletions of unused accounts that are held back. */
  @IntegerColumn({ default: 0 }) waiting!: number;
  /** Deletions of expired accounts that are held back. */
  @IntegerColumn({ name: 'waiting_expired', default: 0 }) waitingExpired!: number;
  /** Name of the administrator who released all of them; null: not released. */
  @StringColumn(100, { name: 'released_by', nullable: true }) releasedBy!: string | null;
}
