import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, FractionColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import { HostingNode } from '../../hosting/index.js';

/** An agent on a hosting server. */
@Entity('SVC_node')
@Unique('UQ_SVC_node_node_id', ['nodeId'])
@Index('IX_SVC_node_bt_id', ['hostingNodeId'])
export class AgentNode {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'node_id' }) nodeId!: string;
  @StringColumn(128, { name: 'node_secret' }) secret!: string;
  /** Second part of the signing key; empty if only the panel-wide secret applies. */
  @StringColumn(128, { name: 'platform_secret', default: '' }) platformSecret!: string;
  /** Previous {@link secret}; accepted until {@link previousUntil}. */
  @StringColumn(128, { name: 'previous_secret', default: '' }) previousSecret!: string;
  @StringColumn(128, { name: 'previous_platform_secret', default: '' }) previousPlatformSecret!: string;
  @TimeColumn({ name: 'previous_until', nullable: true }) previousUntil!: Date | null;
  @StringColumn(100, { name: 'node_name', default: '' }) name!: string;
  @IntegerColumn({ name: 'bt_id', nullable: true }) hostingNodeId!: number | null;
  @ManyToOne(() => HostingNode, { onDelete: 'SET NULL', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'bt_id', foreignKeyConstraintName: 'FK_SVC_node_bt_id' })
  hostingNode?: HostingNode | null;
  @FlagColumn({ default: true }) enabled!: boolean;
  @StringColumn(64, { default: '' }) ip!: string;
  /** Status last reported by the agent; {@link lastHeartbeatAt} decides whether it is online. */
  @StringColumn(20, { default: 'offline' }) status!: string;
  /** Load of the server measured by the agent; null if never reported. */
  @FractionColumn({ nullable: true }) load!: number | null;
  /** Usage of each disk from the last heartbeat; null if not reported, as by older agents and some systems. */
  @JsonColumn({ nullable: true }) disks!: { mount: string; percent: number }[] | null;
  @StringColumn(30, { default: '' }) version!: string;
  @JsonColumn() capabilities!: string[];
  @TimeColumn({ name: 'last_heartbeat', nullable: true }) lastHeartbeatAt!: Date | null;
  /** Time of the last reported scan, including those without matches, which have no row. */
  @TimeColumn({ name: 'last_scan', nullable: true }) lastScanAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}
