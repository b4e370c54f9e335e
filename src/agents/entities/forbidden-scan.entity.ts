import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Summary of one scan for forbidden words: one row per node and task, whoever began it. */
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
  /** Hash of what was found, of scans an agent began by itself: the same found again is this row. Null: somebody asked for the scan. */
  @StringColumn(32, { name: 'content_key', nullable: true }) contentKey!: string | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /** When the same was reported last; null: once, at {@link createdAt}. */
  @TimeColumn({ name: 'seen_at', nullable: true }) seenAt!: Date | null;
}
