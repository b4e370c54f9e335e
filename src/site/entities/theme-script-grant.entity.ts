import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { ThemeSide } from '../../theme/index.js';

/** What an administrator granted to a script of a theme. */
@Entity('SVC_theme_script_grant')
@Unique('UQ_SVC_theme_script_grant_theme', ['theme', 'file'])
export class ThemeScriptGrantRow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) theme!: string;
  /** Path below the theme's folder. */
  @StringColumn(100) file!: string;
  /** Of the file as it was granted, in hexadecimal digits. */
  @StringColumn(64) sha256!: string;
  @JsonColumn({ name: 'sides' }) sides!: ThemeSide[];
  /** Whether it runs on pages that handle money or passwords, too. */
  @FlagColumn({ default: false }) everywhere!: boolean;
  @StringColumn(64, { name: 'granted_by' }) grantedBy!: string;
  @TimeColumn({ name: 'granted_at' }) grantedAt!: Date;
}
