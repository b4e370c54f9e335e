import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** An account at a DNS provider. */
@Entity('SVC_dns_provider')
export class DnsProvider {
  @PrimaryGeneratedColumn() id!: number;
  /** Its kind, as `DnsDriver.type` says it. */
  @StringColumn(100) slug!: string;
  /** Slug of the plugin that brings its kind; empty: the panel does. */
  @StringColumn(64, { default: '' }) plugin!: string;
  /** What administrators call it. */
  @StringColumn(100) name!: string;
  /** JSON of its fields, sealed; see `DnsProviders`. */
  @TextColumn() settings!: string;
  /** Zones it was seen to have when it was last checked; null: it never was. */
  @JsonColumn({ nullable: true }) zones!: string[] | null;
  /** Why nothing works there now, as of `DnsProblem`; empty: nothing is known against it. */
  @StringColumn(32, { default: '' }) problem!: string;
  @JsonColumn({ name: 'problem_params', nullable: true }) problemParams!: Record<string, string | number> | null;
  /** How often in a row it did not work. */
  @IntegerColumn({ default: 0 }) failures!: number;
  /** Since when it does not work. */
  @TimeColumn({ name: 'failing_since', nullable: true }) failingSince!: Date | null;
  /** It is left alone until then; null: it is not. */
  @TimeColumn({ name: 'retry_at', nullable: true }) retryAt!: Date | null;
  /** When it last answered as it should. */
  @TimeColumn({ name: 'worked_at', nullable: true }) workedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
