import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** The one row that says when backups are made and for whom they are encrypted. */
@Entity('SVC_backup_setting')
export class BackupSetting {
  @PrimaryColumn({ type: 'int' }) id!: number;
  /** The half of the recovery key that locks (`age1…`); null before it was made. */
  @StringColumn(120, { nullable: true }) recipient!: string | null;
  /** `HH:MM` in the configured zone; empty: only by hand. */
  @StringColumn(5, { name: 'daily_at', default: '' }) dailyAt!: string;
  /** How many are kept. */
  @IntegerColumn({ default: 7 }) keep!: number;
}
