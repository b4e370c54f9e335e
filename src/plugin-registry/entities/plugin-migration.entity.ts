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
  @TimeColumn({ name: 'applied_at' }) appliedAt!: Date;
}
