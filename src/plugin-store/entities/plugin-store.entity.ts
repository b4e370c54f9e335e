import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A store and its trusted key: the first key it showed, or a later one certified by it. */
@Entity('SVC_plugin_store')
@Unique('UQ_SVC_plugin_store_address', ['address'])
export class PluginStore {
  @PrimaryGeneratedColumn() id!: number;
  /** `own`: the store of this process. */
  @StringColumn(191) address!: string;
  @StringColumn(64, { name: 'key_id' }) keyId!: string;
  /** SPKI in PEM. */
  @TextColumn({ name: 'public_key' }) publicKey!: string;
  @TimeColumn({ name: 'trusted_at' }) trustedAt!: Date;
}
