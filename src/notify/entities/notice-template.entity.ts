import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn } from '../../database/index.js';

/** How an administrator words a notice in one language. */
@Entity('SVC_notice_template')
@Unique('UQ_SVC_notice_template_key', ['key', 'locale'])
export class NoticeTemplate {
  @PrimaryGeneratedColumn() id!: number;
  /** Key of the title of the built-in words. */
  @StringColumn(100, { name: 'template_key' }) key!: string;
  @StringColumn(10) locale!: string;
  /** Liquid. */
  @StringColumn(250) title!: string;
  /** Liquid, of which Markdown becomes. */
  @TextColumn() body!: string;
  /** Why it was last passed over for the built-in words; empty while it works. */
  @StringColumn(300, { default: '' }) defect!: string;
}
