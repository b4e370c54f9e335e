import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** The panel's account at an authority: one for each directory. */
@Entity('SVC_acme_account')
@Unique('UQ_SVC_acme_account_directory', ['directory'])
export class AcmeAccount {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(255) directory!: string;
  /** PEM of its private key, sealed. */
  @TextColumn({ name: 'sealed_key' }) sealedKey!: string;
  /** Its address at the authority; empty before it is registered. */
  @StringColumn(500, { name: 'account_url', default: '' }) accountUrl!: string;
  /** Where the authority writes to, as it was told last. */
  @StringColumn(254, { default: '' }) mail!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
