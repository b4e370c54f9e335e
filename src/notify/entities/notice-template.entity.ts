import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn } from '../../database/index.js';

/** An administrator's template of a notice in one language. */
@Entity('SVC_notice_template')
@Unique('UQ_SVC_notice_template_key', ['key', 'locale'])
export class NoticeTemplate {
  @PrimaryGeneratedColumn() id!: number;
  /** Key of the built-in title. */
  @StringColumn(100, { name: 'template_key' }) key!: string;
  @StringColumn(10) locale!: string;
  /** Liquid. */
  @StringColumn(250) title!: string;
  /** Liquid that produces Markdown. */
  @TextColumn() body!: string;
  /** Error for which the built-in text is used instead; empty while it works. */
  @StringColumn(300, { default: '' }) defect!: string;
}
