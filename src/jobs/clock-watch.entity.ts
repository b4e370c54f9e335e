import { Entity, PrimaryColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../database/index.js';

/** Single row: the time of the last check, and the clock jump that is not confirmed yet. */
@Entity('SVC_clock_watch')
export class ClockMark {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @TimeColumn({ name: 'seen_at' }) seenAt!: Date;
  /** Boot time of the checking machine, by its clock at that moment. */
  @TimeColumn({ name: 'booted_at', nullable: true }) bootedAt!: Date | null;
  /** Time before the first unconfirmed jump; null for none. */
  @TimeColumn({ name: 'jumped_from', nullable: true }) jumpedFrom!: Date | null;
  /** Time after the latest unconfirmed jump. */
  @TimeColumn({ name: 'jumped_to', nullable: true }) jumpedTo!: Date | null;
  /** Administrator who confirmed the last jump. */
  @StringColumn(100, { name: 'confirmed_by', nullable: true }) confirmedBy!: string | null;
}
