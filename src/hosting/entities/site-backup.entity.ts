import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Origin of a backup; `safety`: made before another backup was restored. */
export type SiteBackupKind = 'manual' | 'scheduled' | 'safety';

/** `making`: queued or running; `restoring`: being restored; `removing`: its file is removed first, then the row. */
export type SiteBackupState = 'making' | 'done' | 'failed' | 'restoring' | 'removing';

/**
 * A backup of the files of a site. The row is created before the archive and removed after it. It has no foreign key to the account: it
 * outlives a deleted one for as long as its site is kept, and passes to the new account if the site is restored.
 */
@Entity('SVC_site_backup')
@Unique('UQ_SVC_site_backup_name', ['name'])
@Unique('UQ_SVC_site_backup_busy', ['busy'])
@Index('IX_SVC_site_backup_host', ['hostId', 'id'])
@Index('IX_SVC_site_backup_state', ['state', 'id'])
export class SiteBackup {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of its account, or of the deleted one in the recycle bin. */
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  /** Code of the server that made it, and stores it if it is on a disk. */
  @StringColumn(64, { name: 'ssbt' }) nodeCode!: string;
  /** Name of the site at that time. */
  @StringColumn(128, { name: 'sqldz' }) siteName!: string;
  /** Name of the archive, on the disk and in the storage. */
  @StringColumn(160) name!: string;
  /** Location of the archive: the disk of its server, or the storage. */
  @StringColumn(10) place!: 'disk' | 's3';
  @StringColumn(10) kind!: SiteBackupKind;
  @StringColumn(10) state!: SiteBackupState;
  /** Id of the host while this row is being made, restored or reserved, otherwise null: allows one backup operation per site at a time. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** The background task that works on it, or made it. */
  @StringColumn(64, { name: 'task_id', nullable: true }) taskId!: string | null;
  /** Who requested it: `user`, `schedule`, or the name of an administrator. */
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
  /** Bytes of the archive. */
  @BigIntegerColumn({ default: 0 }) size!: number;
  /** Bytes of the files in it. */
  @BigIntegerColumn({ default: 0 }) content!: number;
  @IntegerColumn({ name: 'file_count', default: 0 }) files!: number;
  /** Symbolic links and other special files left out. */
  @IntegerColumn({ name: 'left_out', default: 0 }) left!: number;
  /** Files that changed while they were read. */
  @IntegerColumn({ default: 0 }) changed!: number;
  /** Paths of some of the changed files, one per line. */
  @TextColumn({ name: 'changed_paths' }) changedPaths!: string;
  /** Checksum of the archive. */
  @StringColumn(64, { default: '' }) sha256!: string;
  /** When it was last restored. */
  @TimeColumn({ name: 'restored_at', nullable: true }) restoredAt!: Date | null;
  /** The error of the last failed operation, in the format of `packWords`. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}
