import { Entity, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn } from './columns.js';

/** A number that every process follows: when it changes, what it stands for is read again. */
@Entity('SVC_generation')
export class Generation {
  /** What changed, such as `plugins`. */
  @PrimaryColumn({ type: 'varchar', length: 64 }) name!: string;
  @BigIntegerColumn() value!: number;
}
