import { Entity, PrimaryColumn } from 'typeorm';

import { DayColumn, FlagColumn, IntegerColumn, TimeColumn } from '../../database/index.js';

/** Notices already sent about the expiry of a host. They hold for one last day: a renewal begins anew. */
@Entity('SVC_host_expiry')
export class HostExpiry {
  @PrimaryColumn({ name: 'host_id', type: 'int' }) hostId!: number;
  /** The last day its owner was reminded of. */
  @DayColumn({ name: 'reminded_for', nullable: true }) remindedFor!: string | null;
  /** The reminder he got last for that day, such as 3 for the one three days before. */
  @IntegerColumn({ name: 'reminded_step', nullable: true }) remindedStep!: number | null;
  /** The last day for which he was told that it will be deleted. */
  @DayColumn({ name: 'told_for', nullable: true }) toldFor!: string | null;
  @TimeColumn({ name: 'told_at', nullable: true }) toldAt!: Date | null;
  /** The first day it may be deleted on, as he was told. */
  @DayColumn({ name: 'deletes_on', nullable: true }) deletesOn!: string | null;
  /** An administrator wants it kept, however long its time is over. */
  @FlagColumn({ default: false }) exempt!: boolean;
}
