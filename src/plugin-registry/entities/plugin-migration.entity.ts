import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A schema change, which MySQL cannot roll back. Tables by their full names. */
export type StepChange =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'index'; readonly table: string; readonly index: string }
  /** By the plugin's own statement: undone by its `down`. */
  | { readonly kind: 'sql' }
  /** Dropped once the step is done. */
  | { readonly kind: 'drop'; readonly table: string };

/** A migration step of a plugin that has run, or has started. */
@Entity('SVC_plugin_migration')
@Unique('UQ_SVC_plugin_migration', ['slug', 'step'])
export class PluginMigration {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  @StringColumn(120) step!: string;
  /** Tables created by the step. */
  @JsonColumn() tables!: string[];
  @TimeColumn({ name: 'applied_at' }) appliedAt!: Date;
  /** `begun` without a running process: the step is undone before it runs again. */
  @StringColumn(8, { default: 'done' }) state!: 'begun' | 'done';
  /** For a started step: its changes, each recorded before it happens. For a finished step: tables still to drop. */
  @JsonColumn({ nullable: true }) changes!: StepChange[] | null;
}
