import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A signing key of the store. The key with the highest number signs; older ones only certify their successor. */
@Entity('SVC_store_signing_key')
@Unique('UQ_SVC_store_signing_key_number', ['number'])
export class StoreSigningKey {
  @PrimaryGeneratedColumn() id!: number;
  /** Counted from 1. */
  @IntegerColumn() number!: number;
  @StringColumn(64, { name: 'key_id' }) keyId!: string;
  /** SPKI in PEM. */
  @TextColumn({ name: 'public_key' }) publicKey!: string;
  /** PKCS #8 in PEM, encrypted; empty once a newer key signs. */
  @TextColumn({ name: 'private_key' }) privateKey!: string;
  /** Signature of the previous key that certifies this one; empty for the first key. */
  @StringColumn(100, { default: '' }) succession!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
