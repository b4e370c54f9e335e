import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** How many accounts jobs deleted on a day. */
@Entity('SVC_deletion_day')
export class DeletionDay {
  /** `YYYY-MM-DD` in the zone of the installation. */
  @PrimaryColumn({ type: 'varchar', length: 10 }) day!: string;
  /** Accounts there were when it began. */
  @IntegerColumn() accounts!: number;
  /** Deletions jobs have begun. */
  @IntegerColumn({ default: 0 }) done!: number;
  /** Accounts nobody uses that were to be deleted besides, and wait. */
  @IntegerColumn({ default: 0 }) waiting!: number;
  /** Of those that wait, the ones whose time is over. */
  @IntegerColumn({ name: 'waiting_expired', default: 0 }) waitingExpired!: number;
  /** Name of the administrator who let all of them go; null: nobody has. */
  @StringColumn(100, { name: 'released_by', nullable: true }) releasedBy!: string | null;
}
