import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { BigIntegerColumn, DayColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Codes created together, all with the same value. */
@Entity('SVC_code_batch')
export class CodeBatch {
  @PrimaryGeneratedColumn() id!: number;
  /** Internal name set by the reseller. */
  @StringColumn(100, { default: '' }) name!: string;
  /** Value of each code in fen. */
  @BigIntegerColumn() amount!: number;
  /** Number of codes. */
  @IntegerColumn() total!: number;
  /** Last valid day, in the installation's time zone; null: unlimited. */
  @DayColumn({ name: 'until_on', nullable: true }) untilOn!: string | null;
  /** Name of the administrator who created it. */
  @StringColumn(64, { default: '' }) actor!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
