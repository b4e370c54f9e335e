import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, FlagColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A program users deploy with one click. */
@Entity('SVC_bs')
@Unique('UQ_SVC_bs_name', ['name'])
@Index('IX_SVC_bs_qk', ['onShelf', 'id'])
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
  /** Host users who bought it. */
  @JsonColumn({ name: 'tj' }) buyers!: string[];
  @FlagColumn({ name: 'qk', default: true }) onShelf!: boolean;
  /** Where its archive lies, relative to the data folder. */
  @StringColumn(255, { name: 'cxwz', default: '' }) archivePath!: string;
  /** The form its user fills in. */
  @JsonColumn({ name: 'inp' }) form!: unknown[];
  /** The steps that install it. */
  @JsonColumn({ name: 'pz' }) steps!: unknown[];
  /** Shown when it has been installed. */
  @TextColumn({ name: 'alet', nullable: true }) doneMessage!: string | null;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}
