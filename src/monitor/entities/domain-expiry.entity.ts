import { Entity, PrimaryColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** What the registry of a domain name said of it last: one row for all monitors of the name. */
@Entity('SVC_domain_expiry')
export class DomainExpiry {
  /** As it is registered, such as `example.co.uk`. */
  @PrimaryColumn({ type: 'varchar', length: 253 }) domain!: string;
  /** Whether the registry knows it. */
  @FlagColumn({ name: 'is_registered', default: true }) isRegistered!: boolean;
  /** When it ends; null where the registry does not say. What was said last stays while the registry does not answer. */
  @TimeColumn({ name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @TimeColumn({ name: 'answered_at', nullable: true }) answeredAt!: Date | null;
  /** When it was asked last, with or without an answer. */
  @TimeColumn({ name: 'tried_at', nullable: true }) triedAt!: Date | null;
  /** Questions in a row without an answer. */
  @IntegerColumn({ default: 0 }) failures!: number;
  /** Why the last one had none; JSON of a text, see `packWords`. */
  @TextColumn({ nullable: true }) problem!: string | null;
}
