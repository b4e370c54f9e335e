import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn } from '../../database/index.js';

/** Number of matches of a keyword per day. */
@Entity('SVC_forbidden_day')
export class ForbiddenDay {
  /** `YYYY-MM-DD` in the panel's time zone. */
  @PrimaryColumn({ type: 'varchar', length: 10 }) day!: string;
  /** Empty for the remaining keywords of a report with very many, beyond the most frequent. */
  @PrimaryColumn({ type: 'varchar', length: 250 }) keyword!: string;
  @IntegerColumn({ default: 0 }) matches!: number;
}
