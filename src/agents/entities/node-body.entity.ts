import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/**
 * A piece of a body on its way between the process an agent came to and the one that calls the server: there are
 * never more than a few of a task.
 */
@Entity('SVC_node_body')
@Unique('UQ_SVC_node_body_seq', ['taskId', 'seq'])
@Index('IX_SVC_node_body_created', ['createdAt'])
export class NodeBody {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'task_id' }) taskId!: string;
  /** From 0; -1 shows that who called is there. */
  @IntegerColumn() seq!: number;
  /** In base64; empty at the end; `!` where it broke off. Of -1 a number that counts up. */
  @TextColumn() content!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
