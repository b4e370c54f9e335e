import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** An account at a DNS provider. */
@Entity('SVC_dns_provider')
export class DnsProvider {
  @PrimaryGeneratedColumn() id!: number;
  /** Kind, see `DnsDriver.type`. */
  @StringColumn(100) slug!: string;
  /** Slug of the plugin that provides the kind; empty for built-in kinds. */
  @StringColumn(64, { default: '' }) plugin!: string;
  /** Display name. */
  @StringColumn(100) name!: string;
  /** Encrypted JSON of its fields; see `DnsProviders`. */
  @TextColumn() settings!: string;
  /** Zones found by the last test; null if never tested. */
  @JsonColumn({ nullable: true }) zones!: string[] | null;
  /** Code of the current `DnsProblem`; empty for none. */
  @StringColumn(32, { default: '' }) problem!: string;
  @JsonColumn({ name: 'problem_params', nullable: true }) problemParams!: Record<string, string | number> | null;
  /** Number of consecutive failures. */
  @IntegerColumn({ default: 0 }) failures!: number;
  /** Start of the current failure. */
  @TimeColumn({ name: 'failing_since', nullable: true }) failingSince!: Date | null;
  /** Not called before this time; null for no delay. */
  @TimeColumn({ name: 'retry_at', nullable: true }) retryAt!: Date | null;
  /** Time of the last success. */
  @TimeColumn({ name: 'worked_at', nullable: true }) workedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
