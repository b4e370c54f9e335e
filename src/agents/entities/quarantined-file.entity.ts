import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { AgentNode } from './agent-node.entity.js';

/** Where a file is: on its way out of the site, taken out, on its way back or to its end, there; `failed` never left. */
export type QuarantineState = 'moving' | 'held' | 'restoring' | 'restored' | 'deleting' | 'deleted' | 'failed';

/** A file an agent was told to take out of a site. */
@Entity('SVC_quarantine')
@Unique('UQ_SVC_quarantine_file_key', ['fileKey'])
@Index('IX_SVC_quarantine_task', ['taskId'])
@Index('IX_SVC_quarantine_state', ['state', 'id'])
@Index('IX_SVC_quarantine_purge', ['purgeAt', 'id'])
export class QuarantinedFile {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'node_id' }) nodeId!: string;
  @ManyToOne(() => AgentNode, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'node_id', referencedColumnName: 'nodeId', foreignKeyConstraintName: 'FK_SVC_quarantine_node' })
  node?: AgentNode;
  /** Names it at the agent: 32 hex digits. */
  @StringColumn(32, { name: 'entry_id' }) entryId!: string;
  /**
   * Hash of agent and path while it is out of the site or on its way; null once that is over, so that the path may be quarantined again.
   */
  @StringColumn(32, { name: 'file_key', nullable: true }) fileKey!: string | null;
  /** `SVC_zj.id` of the host whose file it is; it may be gone since. */
  @IntegerColumn({ name: 'host_id', nullable: true }) hostId!: number | null;
  @StringColumn(1000) path!: string;
  @StringColumn(250) keyword!: string;
  /** Hash of its content, once the agent has it. */
  @StringColumn(64, { default: '' }) sha256!: string;
  @BigIntegerColumn({ default: 0 }) size!: number;
  @StringColumn(20) state!: QuarantineState;
  /** Task of the agent that is under way or was last. */
  @StringColumn(64, { name: 'task_id' }) taskId!: string;
  /** Why the last task failed; empty: it did not. */
  @StringColumn(500, { default: '' }) error!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /** When it is deleted for good; null unless it is held. */
  @TimeColumn({ name: 'purge_at', nullable: true }) purgeAt!: Date | null;
}
