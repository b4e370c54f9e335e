import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** The settings row of backups: schedule, retention and public key. */
@Entity('SVC_backup_setting')
export class BackupSetting {
  @PrimaryColumn({ type: 'int' }) id!: number;
  /** Public key of the recovery key (`age1…`); null before one was generated. */
  @StringColumn(120, { nullable: true }) recipient!: string | null;
  /** `HH:MM` in the configured time zone; empty: only manually. */
  @StringColumn(5, { name: 'daily_at', default: '' }) dailyAt!: string;
  /** Number of backups to keep. */
  @IntegerColumn({ default: 7 }) keep!: number;
}
