import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { AgentNode } from './agent-node.entity.js';

/**
 * `pending` waits for its agent, `running` is claimed under a lease, the others are final: `expired` is an action whose deadline passed
 * without a report, `late` one that was reported afterwards.
 */
export type NodeTaskStatus = 'pending' | 'running' | 'success' | 'failed' | 'expired' | 'late';

/** Work for an agent. */
@Entity('SVC_node_task')
@Unique('UQ_SVC_node_task_task_id', ['taskId'])
@Index('IX_SVC_node_task_node', ['nodeId', 'id'])
@Index('IX_SVC_node_task_status', ['status', 'id'])
@Index('IX_SVC_node_task_queue', ['nodeId', 'status', 'id'])
@Index('IX_SVC_node_task_lease', ['status', 'leaseUntil'])
export class NodeTask {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'task_id' }) taskId!: string;
  @StringColumn(64, { name: 'node_id' }) nodeId!: string;
  @ManyToOne(() => AgentNode, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'node_id', referencedColumnName: 'nodeId', foreignKeyConstraintName: 'FK_SVC_node_task_node' })
  node?: AgentNode;
  @StringColumn(50) action!: string;
  @JsonColumn() payload!: Record<string, unknown>;
  @StringColumn(20, { default: 'pending' }) status!: NodeTaskStatus;
  @JsonColumn({ nullable: true }) result!: unknown;
  @TextColumn({ nullable: true }) error!: string | null;
  /** Number of claims, which is the number of the current attempt. */
  @IntegerColumn({ default: 0 }) attempts!: number;
  @TimeColumn({ name: 'lease_until', nullable: true }) leaseUntil!: Date | null;
  /** Deadline of an action, after which it does not count as successful. Actions are delivered only once. */
  @TimeColumn({ nullable: true }) deadline!: Date | null;
  /** Secret arguments of an action, encrypted for this row; null after its end. */
  @TextColumn({ nullable: true }) sealed!: string | null;
  /** Progress `done/total` as last reported by the agent. */
  @StringColumn(40, { default: '' }) progress!: string;
  /** For an action with a body: `open`, then `taken` (transferred directly in the calling process) or `relayed` (through rows). */
  @StringColumn(10, { name: 'body_state', default: '' }) bodyState!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'pulled_at', nullable: true }) pulledAt!: Date | null;
  @TimeColumn({ name: 'finished_at', nullable: true }) finishedAt!: Date | null;
}
