import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import {
  BigIntegerColumn,
  FenColumn,
  FlagColumn,
  IntegerColumn,
  JsonColumn,
  StringColumn,
  TextColumn,
  TimeColumn,
} from '../../database/index.js';

/** A program users deploy with one click. Its form and steps are specified in `src/hosting/deployments`. */
@Entity('SVC_bs')
@Unique('UQ_SVC_bs_name', ['name'])
@Index('IX_SVC_bs_qk', ['onShelf', 'id'])
@Index('IX_SVC_bs_position', ['position', 'id'])
export class DeployProgram {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(190) name!: string;
  @TextColumn({ name: 'jc', nullable: true }) description!: string | null;
  /** Fen; 0 is free. */
  @FenColumn({ name: 'jg', default: 0 }) price!: number;
  /** Paths of its pictures. */
  @JsonColumn({ name: 'src' }) images!: string[];
  /** Quota it needs: `[webMB, databaseMB]`. */
  @JsonColumn({ name: 'sxpz' }) requiredQuotaMb!: [number, number];
  /** Names of users who bought or installed it, for external programs that read the row; purchases are stored in `SVC_program_purchase`. */
  @JsonColumn({ name: 'tj' }) buyers!: string[];
  @FlagColumn({ name: 'qk', default: true }) onShelf!: boolean;
  /** Path of its archive, relative to the data folder; empty: no archive yet. */
  @StringColumn(255, { name: 'cxwz', default: '' }) archivePath!: string;
  /** Bytes of the archive. */
  @BigIntegerColumn({ name: 'archive_size', default: 0 }) archiveSize!: number;
  /** Whether the archive contains PHP files and therefore needs a server that runs them. */
  @FlagColumn({ name: 'has_php', default: false }) hasPhp!: boolean;
  /** Position in the catalogue, the smallest first. */
  @IntegerColumn({ default: 0 }) position!: number;
  /** The form its user fills in. */
  @JsonColumn({ name: 'inp' }) form!: object[];
  /** The steps that install it. */
  @JsonColumn({ name: 'pz' }) steps!: object[];
  /** Message shown after the installation. */
  @TextColumn({ name: 'alet', nullable: true }) doneMessage!: string | null;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}
