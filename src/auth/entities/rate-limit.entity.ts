import { Entity, Index, PrimaryColumn } from 'typeorm';

import { IntegerColumn, TimeColumn } from '../../database/index.js';

/** Number of attempts in the current window. */
@Entity('SVC_rate_limit')
@Index('IX_SVC_rate_limit_resets', ['resetsAt'])
export class RateLimit {
  /** Rate limit key, such as `login:user:ip:127.0.0.1`. */
  @PrimaryColumn({ type: 'varchar', length: 190 }) key!: string;
  @IntegerColumn() count!: number;
  /** Count from which on attempts are rejected; null without a limit, and for counts older than this column. */
  @IntegerColumn({ nullable: true }) most!: number | null;
  @TimeColumn({ name: 'resets_at' }) resetsAt!: Date;
}
