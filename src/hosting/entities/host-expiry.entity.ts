import { Entity, PrimaryColumn } from 'typeorm';

import { DayColumn, FlagColumn, IntegerColumn, TimeColumn } from '../../database/index.js';

/** Notices already sent about a host's expiry. Each applies to one last day: a renewal starts over. */
@Entity('SVC_host_expiry')
export class HostExpiry {
  @PrimaryColumn({ name: 'host_id', type: 'int' }) hostId!: number;
  /** The last day of the account that the latest reminder was about. */
  @DayColumn({ name: 'reminded_for', nullable: true }) remindedFor!: string | null;
  /** The latest reminder sent for that day, in days before it, such as 3. */
  @IntegerColumn({ name: 'reminded_step', nullable: true }) remindedStep!: number | null;
  /** The last day of the account for which the deletion was announced. */
  @DayColumn({ name: 'told_for', nullable: true }) toldFor!: string | null;
  @TimeColumn({ name: 'told_at', nullable: true }) toldAt!: Date | null;
  /** The earliest deletion day, as announced. */
  @DayColumn({ name: 'deletes_on', nullable: true }) deletesOn!: string | null;
  /** An administrator exempted it from deletion. */
  @FlagColumn({ default: false }) exempt!: boolean;
}
