import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A key of the store. The one with the highest number signs; those before it only say who came after them. */
@Entity('SVC_store_signing_key')
@Unique('UQ_SVC_store_signing_key_number', ['number'])
export class StoreSigningKey {
  @PrimaryGeneratedColumn() id!: number;
  /** From 1. */
  @IntegerColumn() number!: number;
  @StringColumn(64, { name: 'key_id' }) keyId!: string;
  /** SPKI in PEM. */
  @TextColumn({ name: 'public_key' }) publicKey!: string;
  /** PKCS #8 in PEM, sealed; empty once another key signs. */
  @TextColumn({ name: 'private_key' }) privateKey!: string;
  /** That this key follows the one before, signed by that one; empty for the first. */
  @StringColumn(100, { default: '' }) succession!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
