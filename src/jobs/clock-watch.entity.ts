import { Entity, PrimaryColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../database/index.js';

/** One row: the time it was when the installation looked last, and the jump nobody has confirmed yet. */
@Entity('SVC_clock_watch')
export class ClockMark {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @TimeColumn({ name: 'seen_at' }) seenAt!: Date;
  /** When the machine that looked began to run, by its clock then. */
  @TimeColumn({ name: 'booted_at', nullable: true }) bootedAt!: Date | null;
  /** What time it was before the first jump nobody has confirmed; null: there is none. */
  @TimeColumn({ name: 'jumped_from', nullable: true }) jumpedFrom!: Date | null;
  /** What time it was after the newest of them. */
  @TimeColumn({ name: 'jumped_to', nullable: true }) jumpedTo!: Date | null;
  /** Who confirmed the last jump. */
  @StringColumn(100, { name: 'confirmed_by', nullable: true }) confirmedBy!: string | null;
}
