import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn } from '../../database/index.js';

/** How many matches of a word were reported on a day. */
@Entity('SVC_forbidden_day')
export class ForbiddenDay {
  /** `YYYY-MM-DD` in the panel's zone. */
  @PrimaryColumn({ type: 'varchar', length: 10 }) day!: string;
  /** Empty: those of a report with very many different words, beyond the most frequent ones. */
  @PrimaryColumn({ type: 'varchar', length: 250 }) keyword!: string;
  @IntegerColumn({ default: 0 }) matches!: number;
}
