import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import { SoldName } from '../../hosting/index.js';

/** Record types customers may set. */
export const OWN_TYPES = ['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'SRV', 'CAA'] as const;

/** One of {@link OWN_TYPES}. */
export type OwnType = (typeof OWN_TYPES)[number];

/** Whether customers may set records of a type. */
export const isOwnType = (type: string): type is OwnType => (OWN_TYPES as readonly string[]).includes(type);

/** A customer's record below one of their names; its state at the provider is a `DnsEntry` whose slot is its id. */
@Entity('SVC_dns_own')
@Index('IX_SVC_dns_own_name', ['nameId', 'id'])
export class OwnDnsRecord {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'name_id' }) nameId!: number;
  @ManyToOne(() => SoldName, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'name_id', foreignKeyConstraintName: 'FK_SVC_dns_own_name' })
  soldName?: SoldName;
  /** Full name in lower case and punycode. */
  @StringColumn(253) name!: string;
  @StringColumn(8) type!: OwnType;
  /** Value in the format of `DnsRecord.value`. */
  @TextColumn() value!: string;
  /** Seconds. */
  @IntegerColumn() ttl!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
