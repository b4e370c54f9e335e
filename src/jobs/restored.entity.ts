import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../database/index.js';

/** A restored backup, or an import from another panel: until an administrator releases it, the installation runs no background work. */
@Entity('SVC_restored')
export class Restored {
  @PrimaryGeneratedColumn() id!: number;
  /** Time of the restored state. */
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
  @TimeColumn({ name: 'restored_at' }) restoredAt!: Date;
  /** Version of the panel that made the backup; `import` for an import from another panel. */
  @StringColumn(32) panel!: string;
  /** When it was released; null while it is on hold. */
  @TimeColumn({ name: 'released_at', nullable: true }) releasedAt!: Date | null;
  @StringColumn(64, { name: 'released_by', nullable: true }) releasedBy!: string | null;
}
