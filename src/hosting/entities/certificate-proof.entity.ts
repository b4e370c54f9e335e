import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** ACME challenge response that a site serves to a certificate authority. */
@Entity('SVC_cert_proof')
@Unique('UQ_SVC_cert_proof', ['token', 'name'])
@Index('IX_SVC_cert_proof_zj', ['accountId'])
@Index('IX_SVC_cert_proof_ends', ['endsAt'])
export class CertificateProof {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'zj_id' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_cert_proof_zj' })
  account?: HostingAccount;
  @StringColumn(128) token!: string;
  @StringColumn(253) name!: string;
  @StringColumn(255) answer!: string;
  /** When it expires. */
  @TimeColumn({ name: 'ends_at' }) endsAt!: Date;
}
