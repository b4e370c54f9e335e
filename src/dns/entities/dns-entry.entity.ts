import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A type of records; empty: nobody knows where the name should lead. */
export type EntryType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'MX' | 'SRV' | 'CAA' | '';

/** How the record of a name stands: to be set or taken away, as it should be, or something is in the way. */
export type EntryState = 'waiting' | 'done' | 'failed';

/** A record at a provider that is this installation's, or may be: what is written before it is made and after. */
export interface OwnRecord {
  readonly type: Exclude<EntryType, ''>;
  /** Values it may have: the present one, and the one that is being set. */
  readonly values: readonly string[];
  /** What the provider calls it; empty: it said nothing yet. */
  readonly id: string;
}

/** The record of one name that is had, or one its owner has set below it: as it should be, and as it is. */
@Entity('SVC_dns_record')
@Unique('UQ_SVC_dns_record_slot', ['name', 'slot'])
@Index('IX_SVC_dns_record_due', ['dueAt', 'id'])
@Index('IX_SVC_dns_record_slot', ['slot', 'id'])
@Index('IX_SVC_dns_record_state', ['state', 'id'])
@Index('IX_SVC_dns_record_provider', ['providerId', 'id'])
@Index('IX_SVC_dns_record_own', ['ownProviderId', 'id'])
export class DnsEntry {
  @PrimaryGeneratedColumn() id!: number;
  /** The whole name, in lower case and punycode. */
  @StringColumn(253) name!: string;
  /** The provider it is to be set at; 0: nowhere, what there is of it goes. */
  @IntegerColumn({ name: 'provider_id' }) providerId!: number;
  @StringColumn(8) type!: EntryType;
  /** Where the name leads; of one its owner has set it is empty, and {@link content} says it. */
  @StringColumn(253) value!: string;
  @TextColumn({ nullable: true }) content!: string | null;
  /** 0: it leads the name to its host; else the id of the `OwnDnsRecord` it is for. */
  @IntegerColumn({ default: 0 }) slot!: number;
  /** Seconds. */
  @IntegerColumn({ default: 600 }) ttl!: number;
  /** The provider {@link own} is at; 0: there is none. */
  @IntegerColumn({ name: 'own_provider_id', default: 0 }) ownProviderId!: number;
  @JsonColumn({ nullable: true }) own!: OwnRecord | null;
  /** The note beside it at the provider: no other installation has it. */
  @StringColumn(40) mark!: string;
  @StringColumn(16) state!: EntryState;
  /** What is in the way, as of `DnsProblem`; `theirs`: the right record was there already, and is not ours. */
  @StringColumn(32, { default: '' }) problem!: string;
  @JsonColumn({ name: 'problem_params', nullable: true }) problemParams!: Record<string, string | number> | null;
  /** How often in a row it could not be set. */
  @IntegerColumn({ default: 0 }) failures!: number;
  /** When somebody looks at it next. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** Raised by whoever works on it: who finds another number than his own is not at it any more. */
  @IntegerColumn({ default: 0 }) turn!: number;
  @TimeColumn({ name: 'changed_at' }) changedAt!: Date;
}

/** What a record is to say. */
export const valueOf = ({ content, value }: Pick<DnsEntry, 'content' | 'value'>): string => content ?? value;
