import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Record type; empty if the target of the name is unknown. */
export type EntryType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'MX' | 'SRV' | 'CAA' | '';

/** State of a record: to be set or removed, up to date, or failed. */
export type EntryState = 'waiting' | 'done' | 'failed';

/** A record at a provider that belongs, or may belong, to this installation; stored before and after it is created. */
export interface OwnRecord {
  readonly type: Exclude<EntryType, ''>;
  /** Possible values: the present one and the one being set. */
  readonly values: readonly string[];
  /** Id at the provider; empty if not known yet. */
  readonly id: string;
}

/** Desired and actual state of a name's record, or of an owner's own record below it. */
@Entity('SVC_dns_record')
@Unique('UQ_SVC_dns_record_slot', ['name', 'slot'])
@Index('IX_SVC_dns_record_due', ['dueAt', 'id'])
@Index('IX_SVC_dns_record_slot', ['slot', 'id'])
@Index('IX_SVC_dns_record_state', ['state', 'id'])
@Index('IX_SVC_dns_record_provider', ['providerId', 'id'])
@Index('IX_SVC_dns_record_own', ['ownProviderId', 'id'])
export class DnsEntry {
  @PrimaryGeneratedColumn() id!: number;
  /** Full name in lower case and punycode. */
  @StringColumn(253) name!: string;
  /** Desired provider; 0 means the record is to be removed. */
  @IntegerColumn({ name: 'provider_id' }) providerId!: number;
  @StringColumn(8) type!: EntryType;
  /** Target of the name; empty for an owner's own record, whose value is in {@link content}. */
  @StringColumn(253) value!: string;
  @TextColumn({ nullable: true }) content!: string | null;
  /** 0 for the record that points a name to its host; otherwise the id of its `OwnDnsRecord`. */
  @IntegerColumn({ default: 0 }) slot!: number;
  /** Seconds. */
  @IntegerColumn({ default: 600 }) ttl!: number;
  /** Provider of {@link own}; 0 for none. */
  @IntegerColumn({ name: 'own_provider_id', default: 0 }) ownProviderId!: number;
  @JsonColumn({ nullable: true }) own!: OwnRecord | null;
  /** Comment at the provider that identifies this installation's record. */
  @StringColumn(40) mark!: string;
  @StringColumn(16) state!: EntryState;
  /** Code of a `DnsProblem`; `theirs` means that a correct record already existed and is not ours. */
  @StringColumn(32, { default: '' }) problem!: string;
  @JsonColumn({ name: 'problem_params', nullable: true }) problemParams!: Record<string, string | number> | null;
  /** Number of consecutive failures. */
  @IntegerColumn({ default: 0 }) failures!: number;
  /** When it is processed next. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** Version counter, incremented by each worker: a worker that finds another value has lost its claim. */
  @IntegerColumn({ default: 0 }) turn!: number;
  @TimeColumn({ name: 'changed_at' }) changedAt!: Date;
}

/** Returns the desired value of a record. */
export const valueOf = ({ content, value }: Pick<DnsEntry, 'content' | 'value'>): string => content ?? value;
