import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A migration step of a plugin that has run. */
@Entity('SVC_plugin_migration')
@Unique('UQ_SVC_plugin_migration', ['slug', 'step'])
export class PluginMigration {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  @StringColumn(120) step!: string;
  /** Tables the step made. */
  @JsonColumn() tables!: string[];
  /** `done`; `running` while it runs, and after a crash in it; `half` when it failed and could not be taken back. */
  @StringColumn(10, { default: 'done' }) state!: 'done' | 'running' | 'half';
  /** What it has changed so far, to be taken back: see PluginMigrations. */
  @JsonColumn({ nullable: true }) journal!: unknown;
  /** Why it failed. */
  @StringColumn(500, { default: '' }) error!: string;
  @TimeColumn({ name: 'applied_at' }) appliedAt!: Date;
}
