import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import { HostingNode } from '../../hosting/index.js';

/** An agent on a hosting server. */
@Entity('SVC_node')
@Unique('UQ_SVC_node_node_id', ['nodeId'])
@Index('IX_SVC_node_bt_id', ['hostingNodeId'])
export class AgentNode {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'node_id' }) nodeId!: string;
  @StringColumn(128, { name: 'node_secret' }) secret!: string;
  @StringColumn(100, { name: 'node_name', default: '' }) name!: string;
  @IntegerColumn({ name: 'bt_id', nullable: true }) hostingNodeId!: number | null;
  @ManyToOne(() => HostingNode, { onDelete: 'SET NULL', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'bt_id', foreignKeyConstraintName: 'FK_SVC_node_bt_id' })
  hostingNode?: HostingNode | null;
  @FlagColumn({ default: true }) enabled!: boolean;
  @StringColumn(64, { default: '' }) ip!: string;
  @StringColumn(30, { default: '' }) version!: string;
  @JsonColumn() capabilities!: string[];
  @TimeColumn({ name: 'last_heartbeat', nullable: true }) lastHeartbeatAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}
