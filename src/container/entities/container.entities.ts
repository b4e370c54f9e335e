import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import {
  BigIntegerColumn,
  DayColumn,
  FenColumn,
  FlagColumn,
  IntegerColumn,
  JsonColumn,
  StringColumn,
  TextColumn,
  TimeColumn,
} from '../../database/index.js';

/** A server that runs containers. */
@Entity('SVC_docker_node')
export class ContainerNode {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) name!: string;
  @StringColumn(128, { name: 'btip' }) address!: string;
  @IntegerColumn({ name: 'btdk', default: 8888 }) port!: number;
  @FlagColumn({ name: 'ptl', default: false }) secure!: boolean;
  @StringColumn(255, { name: 'btmy' }) panelKey!: string;
  @StringColumn(64, { name: 'ktmy' }) openKey!: string;
  @StringColumn(64, { name: 'qmk' }) signatureKey!: string;
  @FlagColumn({ name: 'qk', default: true }) enabled!: boolean;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}

/** Limits of a container, and its price. */
@Entity('SVC_docker_plan')
@Index('IX_SVC_docker_plan_qk', ['onShelf', 'id'])
export class ContainerPlan {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) name!: string;
  @TextColumn({ name: 'jc', nullable: true }) description!: string | null;
  /** Cores. */
  @IntegerColumn({ name: 'cpu_max', default: 1 }) cpuMax!: number;
  /** MB. */
  @IntegerColumn({ name: 'mem_max', default: 512 }) memoryMaxMb!: number;
  /** MB, 0 unlimited. */
  @IntegerColumn({ name: 'disk_max', default: 0 }) diskMaxMb!: number;
  /** 0 unlimited. */
  @IntegerColumn({ name: 'proxy_max', default: 0 }) proxyMax!: number;
  /** Fen. */
  @FenColumn({ name: 'jg', default: 0 }) price!: number;
  @FlagColumn({ name: 'qk', default: true }) onShelf!: boolean;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}

/** An account with one container. */
@Entity('SVC_docker_user')
@Unique('UQ_SVC_docker_user_username_key', ['usernameKey'])
@Index('IX_SVC_docker_user_ssbt', ['nodeId', 'id'])
@Index('IX_SVC_docker_user_qk', ['state', 'id'])
export class ContainerUser {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  @StringColumn(64, { name: 'username_key' }) usernameKey!: string;
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  @StringColumn(254, { nullable: true }) email!: string | null;
  @IntegerColumn({ name: 'ssbt' }) nodeId!: number;
  @ManyToOne(() => ContainerNode, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'ssbt', foreignKeyConstraintName: 'FK_SVC_docker_user_node' })
  node?: ContainerNode;
  @IntegerColumn({ name: 'plan_id', nullable: true }) planId!: number | null;
  @ManyToOne(() => ContainerPlan, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'plan_id', foreignKeyConstraintName: 'FK_SVC_docker_user_plan' })
  plan?: ContainerPlan | null;
  @StringColumn(20, { name: 'qk', default: 'active' }) state!: string;
  @DayColumn({ name: 'datae', nullable: true }) expiresOn!: string | null;
  @StringColumn(128, { name: 'container_id', nullable: true }) containerId!: string | null;
  @StringColumn(128, { name: 'service_name', nullable: true }) serviceName!: string | null;
  @StringColumn(128, { name: 'app_name', nullable: true }) appName!: string | null;
  @JsonColumn({ name: 'container_spec', nullable: true }) spec!: Record<string, unknown> | null;
  @StringColumn(20, { name: 'container_status', default: 'none' }) containerStatus!: string;
  @BigIntegerColumn({ name: 'disk_usage', default: 0 }) diskUsedBytes!: number;
  @TimeColumn({ name: 'disk_usage_at', nullable: true }) diskMeasuredAt!: Date | null;
  @TimeColumn({ name: 'expired_at', nullable: true }) expiredAt!: Date | null;
  @TimeColumn({ name: 'prune_due', nullable: true }) pruneDueAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** An ordered container plan. */
@Entity('SVC_docker_order')
@Index('IX_SVC_docker_order_username', ['username', 'id'])
export class ContainerOrder {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  @IntegerColumn({ name: 'plan_id' }) planId!: number;
  @ManyToOne(() => ContainerPlan, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'plan_id', foreignKeyConstraintName: 'FK_SVC_docker_order_plan' })
  plan?: ContainerPlan;
  /** Fen. */
  @FenColumn({ name: 'rmb' }) amount!: number;
  @StringColumn(20, { name: 'qk', default: 'unpaid' }) status!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
