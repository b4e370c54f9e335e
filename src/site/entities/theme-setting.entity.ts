import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** What was set of a theme, or what one administrator tries before it is. */
@Entity('SVC_theme_setting')
@Unique('UQ_SVC_theme_setting_theme', ['theme', 'administrator'])
export class ThemeSettingRow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) theme!: string;
  /** Who alone sees it; 0: everybody. */
  @IntegerColumn({ default: 0 }) administrator!: number;
  /** By the names of the fields. */
  @JsonColumn({ name: 'choices' }) choices!: Record<string, string>;
  @TimeColumn({ name: 'changed_at' }) changedAt!: Date;
}
