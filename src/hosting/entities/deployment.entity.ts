import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/**
 * `installing`: queued or running; `undoing`: the site is being rolled back. Final states are `done`, `failed` (rolled back after an
 * error), `undone` (rolled back on request) and `broken`: the rollback failed and needs manual repair.
 */
export type DeploymentState = 'installing' | 'undoing' | 'done' | 'failed' | 'undone' | 'broken';

/** Phase of an installation. Nothing is changed before `files`, and completed `steps` are never repeated. */
export type DeploymentPhase = 'snapshot' | 'files' | 'steps';

/** State of a site before an installation. */
export interface SiteBefore {
  readonly runFolder: string;
  readonly rewrites: string;
  /** PHP version; empty: none, or it is not changed. */
  readonly php: string;
  /** Id of the database backup; empty: the database is not changed. */
  readonly database: string;
  /** The previous passwords, encrypted, if the database password is replaced; otherwise undefined. */
  readonly credentials?: string;
}

/** A current or past installation of a program on a site. Outlives the program, but not the account. */
@Entity('SVC_deployment')
@Unique('UQ_SVC_deployment_busy', ['busy'])
@Index('IX_SVC_deployment_host', ['hostId', 'id'])
@Index('IX_SVC_deployment_state', ['state', 'id'])
export class Deployment {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  @IntegerColumn({ name: 'program_id' }) programId!: number;
  /** Name of the program at that time. */
  @StringColumn(190, { name: 'program_name' }) programName!: string;
  @StringColumn(12) state!: DeploymentState;
  @StringColumn(12) phase!: DeploymentPhase;
  /** Number of the current or last step; 0 before the first. */
  @IntegerColumn({ default: 0 }) step!: number;
  /** Total number of steps. */
  @IntegerColumn({ default: 0 }) steps!: number;
  /** Id of the host while the installation runs, otherwise null: allows one per site at a time. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** The background task that works on it. */
  @StringColumn(64, { name: 'task_id', nullable: true }) taskId!: string | null;
  /** The user's form values, encrypted because they may contain passwords. Cleared when no longer needed. */
  @TextColumn() answers!: string;
  /** Backup of the files before the installation, a row of `SVC_site_backup`. */
  @IntegerColumn({ name: 'backup_id', nullable: true }) backupId!: number | null;
  @JsonColumn({ name: 'site_before', nullable: true }) before!: SiteBefore | null;
  /** Who requested it: `user`, or the name of an administrator. */
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Message of the program after the installation. */
  @TextColumn() message!: string;
  /** Why it failed, in the format of `packWords`. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}
