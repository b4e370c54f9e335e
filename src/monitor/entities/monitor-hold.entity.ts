import { Entity, PrimaryColumn } from 'typeorm';

import { FlagColumn, TimeColumn } from '../../database/index.js';

/** Exists while alarms are held back because the panel's own network is suspected; at most one row. */
@Entity('SVC_monitor_hold')
export class MonitorHold {
  /** Always 1. */
  @PrimaryColumn({ type: 'int' }) id!: number;
  @TimeColumn() since!: Date;
  /** Set once alarms have been held for the maximum time and are sent again. */
  @FlagColumn({ default: false }) told!: boolean;
}
