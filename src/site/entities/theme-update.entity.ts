import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, StringColumn } from '../../database/index.js';

/** What the store of an installed theme has that is newer, and whether betas of it count. */
@Entity('SVC_theme_update')
@Unique('UQ_SVC_theme_update_theme', ['theme'])
export class ThemeUpdateRow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) theme!: string;
  /** Whether betas count as newer versions; empty: as the panel has it. */
  @StringColumn(5, { default: '' }) betas!: 'true' | 'false' | '';
  /** A version of its store that was newer when that was asked last; empty: none. */
  @StringColumn(32, { name: 'newer_version', default: '' }) newerVersion!: string;
  /** Whether that is a beta. */
  @FlagColumn({ name: 'newer_beta', default: false }) newerBeta!: boolean;
}
