import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn } from '../../database/index.js';

import { ForbiddenScan } from './forbidden-scan.entity.js';

/** A forbidden keyword found by a scan. */
@Entity('SVC_forbidden_match')
@Index('IX_SVC_forbidden_match_scan', ['scanId', 'id'])
@Index('IX_SVC_forbidden_match_host', ['hostId', 'id'])
@Index('IX_SVC_forbidden_match_file', ['fileKey', 'id'])
@Index('IX_SVC_forbidden_match_key', ['matchKey'])
export class ForbiddenMatch {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'scan_id' }) scanId!: number;
  @ManyToOne(() => ForbiddenScan, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'scan_id', foreignKeyConstraintName: 'FK_SVC_forbidden_match_scan' })
  scan?: ForbiddenScan;
  @StringColumn(30, { name: 'match_type', default: 'file' }) type!: string;
  @StringColumn(1000, { name: 'file' }) file!: string;
  @IntegerColumn({ name: 'line_no', default: 0 }) line!: number;
  @StringColumn(250) keyword!: string;
  @StringColumn(250, { default: '' }) excerpt!: string;
  /** `SVC_zj.id` of the host the file belongs to; null if unknown. The host may have been deleted since. */
  @IntegerColumn({ name: 'host_id', nullable: true }) hostId!: number | null;
  /** Hash of agent and file; empty for a match outside of files. */
  @StringColumn(32, { name: 'file_key', default: '' }) fileKey!: string;
  /** Hash of agent, file, keyword and excerpt, which identifies repeated matches. */
  @StringColumn(32, { name: 'match_key', default: '' }) matchKey!: string;
  /** Whether it is new and its consequences are still to be processed. */
  @FlagColumn({ default: false }) pending!: boolean;
}
