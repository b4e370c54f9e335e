import { Entity, Index, PrimaryColumn } from 'typeorm';

import { IntegerColumn, TimeColumn } from '../../database/index.js';

/** How often something was tried in the present window. */
@Entity('SVC_rate_limit')
@Index('IX_SVC_rate_limit_resets', ['resetsAt'])
export class RateLimit {
  /** What is limited, such as `login:user:ip:127.0.0.1`. */
  @PrimaryColumn({ type: 'varchar', length: 190 }) key!: string;
  @IntegerColumn() count!: number;
  /** What is refused from there on; null where nothing is, and for counts from before this was kept. */
  @IntegerColumn({ nullable: true }) most!: number | null;
  @TimeColumn({ name: 'resets_at' }) resetsAt!: Date;
}
