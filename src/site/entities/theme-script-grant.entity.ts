import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { ThemeSide } from '../../theme/index.js';

/** An administrator's permission for a script of a theme. */
@Entity('SVC_theme_script_grant')
@Unique('UQ_SVC_theme_script_grant_theme', ['theme', 'file'])
export class ThemeScriptGrantRow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) theme!: string;
  /** Path relative to the theme's folder. */
  @StringColumn(100) file!: string;
  /** SHA-256 of the file when it was permitted, in hexadecimal digits. */
  @StringColumn(64) sha256!: string;
  @JsonColumn({ name: 'sides' }) sides!: ThemeSide[];
  /** Whether it also runs on pages that handle money or passwords. */
  @FlagColumn({ default: false }) everywhere!: boolean;
  @StringColumn(64, { name: 'granted_by' }) grantedBy!: string;
  @TimeColumn({ name: 'granted_at' }) grantedAt!: Date;
}
