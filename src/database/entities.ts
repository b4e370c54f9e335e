import { Entity, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn } from './columns.js';

/** A counter polled by all processes: a change means that the data it stands for must be reloaded. */
@Entity('SVC_generation')
export class Generation {
  /** Name of the data, such as `plugins`. */
  @PrimaryColumn({ type: 'varchar', length: 64 }) name!: string;
  @BigIntegerColumn() value!: number;
}
