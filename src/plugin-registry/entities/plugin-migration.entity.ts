import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A change of tables, which no rollback takes back on MySQL. Tables by their full names. */
export type StepChange =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'index'; readonly table: string; readonly index: string }
  /** By a statement of the plugin's own: its `down` undoes it. */
  | { readonly kind: 'sql' }
  /** To be dropped once the step is done. */
  | { readonly kind: 'drop'; readonly table: string };

/** A migration step of a plugin that has run, or has begun. */
@Entity('SVC_plugin_migration')
@Unique('UQ_SVC_plugin_migration', ['slug', 'step'])
export class PluginMigration {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  @StringColumn(120) step!: string;
  /** Tables the step made. */
  @JsonColumn() tables!: string[];
  @TimeColumn({ name: 'applied_at' }) appliedAt!: Date;
  /** `begun`, and nobody at it: it is undone before it runs again. */
  @StringColumn(8, { default: 'done' }) state!: 'begun' | 'done';
  /** Of a step that has begun: what it changed, each written down before it happened. Of one that is done: what is still to be dropped. */
  @JsonColumn({ nullable: true }) changes!: StepChange[] | null;
}
