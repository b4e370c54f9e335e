import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** The last error in one plugin's code, kept across restarts. */
@Entity('SVC_plugin_fault')
@Unique('UQ_SVC_plugin_fault_slug', ['slug'])
export class PluginFault {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  @StringColumn(200) place!: string;
  @TextColumn() message!: string;
  @TimeColumn({ name: 'occurred_at' }) occurredAt!: Date;
}
