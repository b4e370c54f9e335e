import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn } from '../../database/index.js';

import { ForbiddenScan } from './forbidden-scan.entity.js';

/** One forbidden word that a scan found. */
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
  /** `SVC_zj.id` of the host whose file it is; null: of none the panel knows. It may be gone since. */
  @IntegerColumn({ name: 'host_id', nullable: true }) hostId!: number | null;
  /** Hash of agent and file; empty for what is in no file. */
  @StringColumn(32, { name: 'file_key', default: '' }) fileKey!: string;
  /** Hash of agent, file, word and excerpt: one that is known already is nothing new. */
  @StringColumn(32, { name: 'match_key', default: '' }) matchKey!: string;
  /** It is new, and what follows of that is still to come. */
  @FlagColumn({ default: false }) pending!: boolean;
}
