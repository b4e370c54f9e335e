import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

import { ForbiddenScan } from './forbidden-scan.entity.js';

/** One forbidden word that a scan found. */
@Entity('SVC_forbidden_match')
@Index('IX_SVC_forbidden_match_scan', ['scanId', 'id'])
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
}
