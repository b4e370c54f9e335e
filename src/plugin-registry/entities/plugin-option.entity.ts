import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn } from '../../database/index.js';

/** One setting of a plugin. */
@Entity('SVC_plugin_option')
@Unique('UQ_SVC_plugin_option', ['slug', 'key'])
export class PluginOption {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  @StringColumn(120) key!: string;
  @TextColumn() value!: string;
}
