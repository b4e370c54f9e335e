import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** A pending captcha, bound to the browser that requested it. */
@Entity('SVC_captcha')
@Unique('UQ_SVC_captcha_holder', ['holderHash', 'scope'])
@Index('IX_SVC_captcha_expires', ['expiresAt'])
export class Captcha {
  @PrimaryGeneratedColumn() id!: number;
  /** SHA-256 of the browser's cookie. */
  @StringColumn(64, { name: 'holder_hash' }) holderHash!: string;
  @StringColumn(10) scope!: string;
  @StringColumn(32) answer!: string;
  /** Challenge for the proof of work, if required. */
  @StringColumn(16, { default: '' }) challenge!: string;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}
