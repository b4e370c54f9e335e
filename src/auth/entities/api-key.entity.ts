import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** An API key: its permissions, allowed addresses and expiry. The row contains the SHA-256 of the secret. */
@Entity('SVC_api_key')
@Unique('UQ_SVC_api_key_name', ['nameKey'])
@Unique('UQ_SVC_api_key_secret', ['secretHash'])
export class ApiKey {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(40) name!: string;
  @StringColumn(40, { name: 'name_key' }) nameKey!: string;
  @StringColumn(64, { name: 'secret_hash' }) secretHash!: string;
  /** Patterns over names of operations; `api.<gn>` for the provisioning API. */
  @JsonColumn() patterns!: string[];
  /** Allowed addresses and networks, one per line; null: all. */
  @TextColumn({ nullable: true }) addresses!: string | null;
  @TimeColumn({ name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @FlagColumn({ default: true }) enabled!: boolean;
  /** Number of uses. */
  @IntegerColumn({ default: 0 }) uses!: number;
  @TimeColumn({ name: 'used_at', nullable: true }) usedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
