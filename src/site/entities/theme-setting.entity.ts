import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Saved settings of a theme, or an administrator's draft of them. */
@Entity('SVC_theme_setting')
@Unique('UQ_SVC_theme_setting_theme', ['theme', 'administrator'])
export class ThemeSettingRow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) theme!: string;
  /** Administrator whose draft this is; 0: the saved settings. */
  @IntegerColumn({ default: 0 }) administrator!: number;
  /** Values by field name. */
  @JsonColumn({ name: 'choices' }) choices!: Record<string, string>;
  @TimeColumn({ name: 'changed_at' }) changedAt!: Date;
}
