import { Entity, Index, PrimaryColumn } from 'typeorm';

import { DayColumn, FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Action on a host nobody uses: stop it, or delete it. */
export type IdleAction = 'stop' | 'del';

/**
 * A host nobody uses, or one that is exempt from being looked at. It stays for a while after the host was deleted, as the record of that.
 */
@Entity('SVC_idle_host')
@Index('IX_SVC_idle_host_done', ['doneAt', 'hostId'])
export class IdleHost {
  @PrimaryColumn({ name: 'host_id', type: 'int' }) hostId!: number;
  @StringColumn(64, { name: 'user' }) username!: string;
  /** What it was told by: `domain`, `files`; empty for one that is exempt and was not seen unused. */
  @StringColumn(10, { default: '' }) sign!: string;
  /** When it was last seen unused. */
  @TimeColumn({ name: 'seen_at', nullable: true }) seenAt!: Date | null;
  /** When its owner said that he needs it: days count anew from there. */
  @TimeColumn({ name: 'kept_at', nullable: true }) keptAt!: Date | null;
  /** An administrator wants it left alone. */
  @FlagColumn({ default: false }) exempt!: boolean;
  /** What its owner was told will happen. */
  @StringColumn(10, { name: 'deed', default: '' }) action!: IdleAction | '';
  /** When he was told; null: he was not, or what was told holds no more. */
  @TimeColumn({ name: 'announced_at', nullable: true }) announcedAt!: Date | null;
  /** The day he was told it happens. */
  @DayColumn({ name: 'due_on', nullable: true }) dueOn!: string | null;
  /** The last day he was reminded. */
  @DayColumn({ name: 'reminded_on', nullable: true }) remindedOn!: string | null;
  /** What was done last. */
  @StringColumn(10, { default: '' }) done!: IdleAction | '';
  @TimeColumn({ name: 'done_at', nullable: true }) doneAt!: Date | null;
}
