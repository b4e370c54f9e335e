import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/**
 * `installing`: ordered, or under way; `undoing`: the site becomes what it was. Ends are `done`, `failed` (the site is what it was),
 * `undone` (so it is, because somebody wanted it) and `broken`: it could not be made what it was, which a person must see to.
 */
export type DeploymentState = 'installing' | 'undoing' | 'done' | 'failed' | 'undone' | 'broken';

/** How far an installation is: nothing was touched before `files`, and what `steps` did is never done a second time. */
export type DeploymentPhase = 'snapshot' | 'files' | 'steps';

/** State of a site before an installation. */
export interface SiteBefore {
  readonly runFolder: string;
  readonly rewrites: string;
  /** Empty: none, or nobody changes it. */
  readonly php: string;
  /** Id of the backup of the database; empty: it is not touched. */
  readonly database: string;
  /** The passwords it had, sealed, where the one of its database is replaced; none: it stays. */
  readonly credentials?: string;
}

/** A program that is, or was, installed on a site. It outlives the program, not the account. */
@Entity('SVC_deployment')
@Unique('UQ_SVC_deployment_busy', ['busy'])
@Index('IX_SVC_deployment_host', ['hostId', 'id'])
@Index('IX_SVC_deployment_state', ['state', 'id'])
export class Deployment {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  @IntegerColumn({ name: 'program_id' }) programId!: number;
  /** What the program was called then. */
  @StringColumn(190, { name: 'program_name' }) programName!: string;
  @StringColumn(12) state!: DeploymentState;
  @StringColumn(12) phase!: DeploymentPhase;
  /** Number of the step that runs, or ran last; 0 before the first. */
  @IntegerColumn({ default: 0 }) step!: number;
  /** How many there are. */
  @IntegerColumn({ default: 0 }) steps!: number;
  /** Id of the host while it is under way, null afterwards: one at a time for each site. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** The background task that works on it. */
  @StringColumn(64, { name: 'task_id', nullable: true }) taskId!: string | null;
  /** What its user filled in, sealed while it is needed; there may be passwords among it. Empty afterwards. */
  @TextColumn() answers!: string;
  /** The copy of the files as they were, a row of `SVC_site_backup`. */
  @IntegerColumn({ name: 'backup_id', nullable: true }) backupId!: number | null;
  @JsonColumn({ name: 'site_before', nullable: true }) before!: SiteBefore | null;
  /** Who wanted it: `user`, or the name of an administrator. */
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** What the program says when it is installed. */
  @TextColumn() message!: string;
  /** Why it came to nothing, as `packWords` writes it. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}
