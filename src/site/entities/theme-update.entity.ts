import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, StringColumn } from '../../database/index.js';

/** A newer version of an installed theme in its store, and whether betas of the theme count. */
@Entity('SVC_theme_update')
@Unique('UQ_SVC_theme_update_theme', ['theme'])
export class ThemeUpdateRow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) theme!: string;
  /** Whether betas count as newer versions; empty: the panel's default. */
  @StringColumn(5, { default: '' }) betas!: 'true' | 'false' | '';
  /** Newer version found by the last check of its store; empty: none. */
  @StringColumn(32, { name: 'newer_version', default: '' }) newerVersion!: string;
  /** Whether that version is a beta. */
  @FlagColumn({ name: 'newer_beta', default: false }) newerBeta!: boolean;
}
