import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { BigIntegerColumn, DayColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Codes that were made at once, all for the same amount. */
@Entity('SVC_code_batch')
export class CodeBatch {
  @PrimaryGeneratedColumn() id!: number;
  /** What the reseller calls it. */
  @StringColumn(100, { default: '' }) name!: string;
  /** Fen each brings. */
  @BigIntegerColumn() amount!: number;
  /** How many there are. */
  @IntegerColumn() total!: number;
  /** Last day they count on, in the time zone of the installation; null: none. */
  @DayColumn({ name: 'until_on', nullable: true }) untilOn!: string | null;
  /** Name of the administrator who made it. */
  @StringColumn(64, { default: '' }) actor!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
