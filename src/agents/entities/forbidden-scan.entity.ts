import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Summary of a scan, one row per node and task, whoever started it. */
@Entity('SVC_forbidden_scan')
@Unique('UQ_SVC_forbidden_scan_task', ['taskId', 'nodeId'])
@Index('UQ_SVC_forbidden_scan_content', ['nodeId', 'contentKey'], { unique: true })
@Index('IX_SVC_forbidden_scan_status', ['status', 'id'])
@Index('IX_SVC_forbidden_scan_node', ['nodeId', 'id'])
@Index('IX_SVC_forbidden_scan_created', ['createdAt', 'id'])
export class ForbiddenScan {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'node_id' }) nodeId!: string;
  @StringColumn(64, { name: 'task_id' }) taskId!: string;
  @StringColumn(20, { default: 'success' }) status!: string;
  @StringColumn(250, { default: '' }) site!: string;
  @IntegerColumn({ name: 'scanned_files', default: 0 }) scannedFiles!: number;
  @IntegerColumn({ name: 'scanned_rows', default: 0 }) scannedRows!: number;
  @IntegerColumn({ name: 'matches_count', default: 0 }) matchCount!: number;
  @JsonColumn({ nullable: true }) summary!: Record<string, unknown> | null;
  /** Hash of the matches, for scans started by an agent: an identical result reuses this row. Null for requested scans. */
  @StringColumn(32, { name: 'content_key', nullable: true }) contentKey!: string | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /** Time of the last identical report; null if reported only once, at {@link createdAt}. */
  @TimeColumn({ name: 'seen_at', nullable: true }) seenAt!: Date | null;
}
