import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../database/index.js';

/**
 * A backup that was put back, or another panel that was taken over: until an administrator lets it go, the
 * installation does nothing by itself.
 */
@Entity('SVC_restored')
export class Restored {
  @PrimaryGeneratedColumn() id!: number;
  /** What state of the installation was put back. */
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
  @TimeColumn({ name: 'restored_at' }) restoredAt!: Date;
  /** Version of the panel that made the backup; `import` where another panel was taken over. */
  @StringColumn(32) panel!: string;
  /** When it was let go; null: it is still held. */
  @TimeColumn({ name: 'released_at', nullable: true }) releasedAt!: Date | null;
  @StringColumn(64, { name: 'released_by', nullable: true }) releasedBy!: string | null;
}
