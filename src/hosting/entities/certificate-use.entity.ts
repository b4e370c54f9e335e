import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** Use of an authority's rate limits: kept for as long as it counts, whatever becomes of orders and accounts. */
@Entity('SVC_cert_use')
@Index('IX_SVC_cert_use_subject', ['directory', 'kind', 'subject', 'usedAt'])
@Index('IX_SVC_cert_use_at', ['usedAt'])
export class CertificateUse {
  @PrimaryGeneratedColumn() id!: number;
  /** SHA-256 of the directory's address. */
  @StringColumn(64) directory!: string;
  /** See `LIMITS`. */
  @StringColumn(10) kind!: string;
  /** SHA-256 of what is counted: a name, a set of names, a registered domain; empty: everything. */
  @StringColumn(64) subject!: string;
  @TimeColumn({ name: 'used_at' }) usedAt!: Date;
}
