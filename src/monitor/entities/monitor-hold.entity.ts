import { Entity, PrimaryColumn } from 'typeorm';

import { FlagColumn, TimeColumn } from '../../database/index.js';

/** That alarms are held because the network of the panel itself is suspected: one row while it is so, none otherwise. */
@Entity('SVC_monitor_hold')
export class MonitorHold {
  /** Always 1. */
  @PrimaryColumn({ type: 'int' }) id!: number;
  @TimeColumn() since!: Date;
  /** Alarms have been held for as long as they may be, and go out again. */
  @FlagColumn({ default: false }) told!: boolean;
}
