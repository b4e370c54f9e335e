import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** The panel's account at a certificate authority: one per directory. */
@Entity('SVC_acme_account')
@Unique('UQ_SVC_acme_account_directory', ['directory'])
export class AcmeAccount {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(255) directory!: string;
  /** PEM of its private key, encrypted. */
  @TextColumn({ name: 'sealed_key' }) sealedKey!: string;
  /** Account URL at the authority; empty before registration. */
  @StringColumn(500, { name: 'account_url', default: '' }) accountUrl!: string;
  /** Contact address last sent to the authority. */
  @StringColumn(254, { default: '' }) mail!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
