import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A piece of a body relayed between the process the agent is connected to and the calling process; only a few per task exist at a time. */
@Entity('SVC_node_body')
@Unique('UQ_SVC_node_body_seq', ['taskId', 'seq'])
@Index('IX_SVC_node_body_created', ['createdAt'])
export class NodeBody {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'task_id' }) taskId!: string;
  /** From 0; -1 for the caller's heartbeat. */
  @IntegerColumn() seq!: number;
  /** Base64; empty at the end; `!` for a broken transfer. For -1 a counter. */
  @TextColumn() content!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
