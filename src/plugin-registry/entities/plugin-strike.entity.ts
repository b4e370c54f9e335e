import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** An incident in which a plugin's code crashed the process, or would have. Kept for as long as it counts. */
@Entity('SVC_plugin_strike')
@Index('IX_SVC_plugin_strike', ['slug', 'struckAt'])
export class PluginStrike {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  @StringColumn(10) kind!: string;
  @StringColumn(200) place!: string;
  @StringColumn(500) message!: string;
  @TimeColumn({ name: 'struck_at' }) struckAt!: Date;
}
