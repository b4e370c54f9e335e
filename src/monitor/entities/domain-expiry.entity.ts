import { Entity, PrimaryColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Last known registry data of a domain, shared by all monitors of the name. */
@Entity('SVC_domain_expiry')
export class DomainExpiry {
  /** Registered domain, such as `example.co.uk`. */
  @PrimaryColumn({ type: 'varchar', length: 253 }) domain!: string;
  /** Whether it is registered. */
  @FlagColumn({ name: 'is_registered', default: true }) isRegistered!: boolean;
  /** When it expires; null if the registry does not provide it. Keeps its value while the registry does not respond. */
  @TimeColumn({ name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @TimeColumn({ name: 'answered_at', nullable: true }) answeredAt!: Date | null;
  /** When it was last queried, successfully or not. */
  @TimeColumn({ name: 'tried_at', nullable: true }) triedAt!: Date | null;
  /** Number of consecutive failed queries. */
  @IntegerColumn({ default: 0 }) failures!: number;
  /** Error of the last query; JSON of a text, see `packWords`. */
  @TextColumn({ nullable: true }) problem!: string | null;
}
