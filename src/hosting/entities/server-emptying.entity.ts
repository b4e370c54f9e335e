import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** `running`: its sites are moved one after another; `stopped` by hand; `done`: nothing is left that could be moved. */
export type ServerEmptyingState = 'running' | 'stopped' | 'done';

/** The emptying of a server: all its sites are moved elsewhere, a few at a time. */
@Entity('SVC_bt_emptying')
@Unique('UQ_SVC_bt_emptying_busy', ['busy'])
@Index('IX_SVC_bt_emptying_server', ['serverId', 'id'])
export class ServerEmptying {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the server. */
  @IntegerColumn({ name: 'server_id' }) serverId!: number;
  @StringColumn(64, { name: 'ssbt' }) serverCode!: string;
  /** Where to: the code of a server, `auto:` and the code of a group, or `auto`. */
  @StringColumn(64) target!: string;
  /** Moves at a time. */
  @IntegerColumn({ name: 'at_once' }) atOnce!: number;
  @StringColumn(10) state!: ServerEmptyingState;
  /** Id of the server while it is not done; null afterwards: a server is emptied once at a time. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** Id of the host that was looked at last: each is tried once. */
  @IntegerColumn({ name: 'last_host', default: 0 }) lastHost!: number;
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'begun_at' }) begunAt!: Date;
}
