import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Origin of a backup; `safety`: made of a site before another backup was restored to it. */
export type SiteBackupKind = 'manual' | 'scheduled' | 'safety';

/** `making`: ordered, or under way; `restoring`: it is being put back; `removing`: its file goes, then the row. */
export type SiteBackupState = 'making' | 'done' | 'failed' | 'restoring' | 'removing';

/**
 * A backup of the files of a site. The row is there before the archive, and goes after it. It has no key to the account: it outlives one
 * that is deleted, for as long as its site is kept, and becomes the new account's where that comes back.
 */
@Entity('SVC_site_backup')
@Unique('UQ_SVC_site_backup_name', ['name'])
@Unique('UQ_SVC_site_backup_busy', ['busy'])
@Index('IX_SVC_site_backup_host', ['hostId', 'id'])
@Index('IX_SVC_site_backup_state', ['state', 'id'])
export class SiteBackup {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the account whose site it is of, or of the deleted one in the recycle bin. */
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  /** Code of the server that made it, and has it where it is on a disk. */
  @StringColumn(64, { name: 'ssbt' }) nodeCode!: string;
  /** Name the site had there then. */
  @StringColumn(128, { name: 'sqldz' }) siteName!: string;
  /** Of the archive, on the disk and in the storage. */
  @StringColumn(160) name!: string;
  /** Where the archive is: on the disk of its server, or in the storage. */
  @StringColumn(10) place!: 'disk' | 's3';
  @StringColumn(10) kind!: SiteBackupKind;
  @StringColumn(10) state!: SiteBackupState;
  /**
   * Id of the host while it is made, put back or kept from both, null otherwise: one thing at a time is done with the backups of a site.
   */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** The background task that works on it, or that made it. */
  @StringColumn(64, { name: 'task_id', nullable: true }) taskId!: string | null;
  /** Who wanted it: `user`, `schedule`, or the name of an administrator. */
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
  /** Bytes of the archive. */
  @BigIntegerColumn({ default: 0 }) size!: number;
  /** Bytes of the files in it. */
  @BigIntegerColumn({ default: 0 }) content!: number;
  @IntegerColumn({ name: 'file_count', default: 0 }) files!: number;
  /** Links and other special files that are not in it. */
  @IntegerColumn({ name: 'left_out', default: 0 }) left!: number;
  /** Files that changed while they were read. */
  @IntegerColumn({ default: 0 }) changed!: number;
  /** Paths of some of these, one a line. */
  @TextColumn({ name: 'changed_paths' }) changedPaths!: string;
  /** Of the archive. */
  @StringColumn(64, { default: '' }) sha256!: string;
  /** When it was put back last. */
  @TimeColumn({ name: 'restored_at', nullable: true }) restoredAt!: Date | null;
  /** What the last thing that failed failed with, as `packWords` writes it. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}
