import { Entity, Index, PrimaryColumn } from 'typeorm';

import { DayColumn, FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Action on an unused host: stop it, or delete it. */
export type IdleAction = 'stop' | 'del';

/** An unused host, or one that is exempt from the check. The row is kept for a while after the host was deleted, as a record. */
@Entity('SVC_idle_host')
@Index('IX_SVC_idle_host_done', ['doneAt', 'hostId'])
export class IdleHost {
  @PrimaryColumn({ name: 'host_id', type: 'int' }) hostId!: number;
  @StringColumn(64, { name: 'user' }) username!: string;
  /** What marked it as unused: `domain`, `files`; empty: exempt, and never seen unused. */
  @StringColumn(10, { default: '' }) sign!: string;
  /** When it was last seen unused. */
  @TimeColumn({ name: 'seen_at', nullable: true }) seenAt!: Date | null;
  /** When its owner confirmed that it is needed: the days are counted from there. */
  @TimeColumn({ name: 'kept_at', nullable: true }) keptAt!: Date | null;
  /** An administrator exempted it. */
  @FlagColumn({ default: false }) exempt!: boolean;
  /** The action announced to its owner. */
  @StringColumn(10, { name: 'deed', default: '' }) action!: IdleAction | '';
  /** When the action was announced; null: not announced, or the announcement is void. */
  @TimeColumn({ name: 'announced_at', nullable: true }) announcedAt!: Date | null;
  /** The announced day of the action. */
  @DayColumn({ name: 'due_on', nullable: true }) dueOn!: string | null;
  /** The last day a reminder was sent. */
  @DayColumn({ name: 'reminded_on', nullable: true }) remindedOn!: string | null;
  /** The last action taken. */
  @StringColumn(10, { default: '' }) done!: IdleAction | '';
  @TimeColumn({ name: 'done_at', nullable: true }) doneAt!: Date | null;
}
