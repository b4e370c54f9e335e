import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** `running`: its sites are being moved; `stopped` manually; `done`: no movable site is left. */
export type ServerEmptyingState = 'running' | 'stopped' | 'done';

/** The emptying of a server: moves all its sites to other servers, a few at a time. */
@Entity('SVC_bt_emptying')
@Unique('UQ_SVC_bt_emptying_busy', ['busy'])
@Index('IX_SVC_bt_emptying_server', ['serverId', 'id'])
export class ServerEmptying {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the server. */
  @IntegerColumn({ name: 'server_id' }) serverId!: number;
  @StringColumn(64, { name: 'ssbt' }) serverCode!: string;
  /** Destination: the code of a server, `auto:` and the code of a group, or `auto`. */
  @StringColumn(64) target!: string;
  /** Moves at a time. */
  @IntegerColumn({ name: 'at_once' }) atOnce!: number;
  @StringColumn(10) state!: ServerEmptyingState;
  /** Id of the server until done, then null: allows one emptying per server at a time. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** Id of the last host processed: each is tried once. */
  @IntegerColumn({ name: 'last_host', default: 0 }) lastHost!: number;
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'begun_at' }) begunAt!: Date;
}
