import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { AgentNode } from './agent-node.entity.js';

/** State of a file: being taken out, quarantined, being restored or deleted, restored or deleted; `failed` never left the site. */
export type QuarantineState = 'moving' | 'held' | 'restoring' | 'restored' | 'deleting' | 'deleted' | 'failed';

/** A file an agent was asked to quarantine. */
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
  /** Id at the agent: 32 hex digits. */
  @StringColumn(32, { name: 'entry_id' }) entryId!: string;
  /** Hash of agent and path while the file is out of the site or moving; null afterwards, so that the path can be quarantined again. */
  @StringColumn(32, { name: 'file_key', nullable: true }) fileKey!: string | null;
  /** `SVC_zj.id` of the host the file belongs to; the host may have been deleted since. */
  @IntegerColumn({ name: 'host_id', nullable: true }) hostId!: number | null;
  @StringColumn(1000) path!: string;
  @StringColumn(250) keyword!: string;
  /** Hash of its content, once reported by the agent. */
  @StringColumn(64, { default: '' }) sha256!: string;
  @BigIntegerColumn({ default: 0 }) size!: number;
  @StringColumn(20) state!: QuarantineState;
  /** Current or last task of the agent. */
  @StringColumn(64, { name: 'task_id' }) taskId!: string;
  /** Error of the last task; empty if it succeeded. */
  @StringColumn(500, { default: '' }) error!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /** When it is deleted permanently; null unless it is held. */
  @TimeColumn({ name: 'purge_at', nullable: true }) purgeAt!: Date | null;
}
