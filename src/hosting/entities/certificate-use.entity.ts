import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** Use of an authority's rate limits. Kept for as long as it counts, even if the order or the account is deleted. */
@Entity('SVC_cert_use')
@Index('IX_SVC_cert_use_subject', ['directory', 'kind', 'subject', 'usedAt'])
@Index('IX_SVC_cert_use_at', ['usedAt'])
export class CertificateUse {
  @PrimaryGeneratedColumn() id!: number;
  /** SHA-256 of the directory URL. */
  @StringColumn(64) directory!: string;
  /** See `LIMITS`. */
  @StringColumn(10) kind!: string;
  /** SHA-256 of the counted subject: a name, a set of names, a registered domain; empty: everything. */
  @StringColumn(64) subject!: string;
  @TimeColumn({ name: 'used_at' }) usedAt!: Date;
}
