import { Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** Source of a certificate: ordered from an authority by the panel, or uploaded by its owner. */
export type CertificateSource = 'acme' | 'own';

/** The certificate of a site, the truth its server is told. It goes with its account. */
@Entity('SVC_site_cert')
@Index('IX_SVC_site_cert_ends', ['endsAt', 'accountId'])
@Index('IX_SVC_site_cert_renew', ['renewAt', 'accountId'])
export class SiteCertificate {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_cert_zj' })
  account?: HostingAccount;
  /**
   * Another one after each change, and never the same for two accounts: whoever has read the certificate knows by it that it is this one.
   */
  @StringColumn(32) version!: string;
  @StringColumn(10) source!: CertificateSource;
  /** Names in the certificate, in lower case. */
  @JsonColumn({ name: 'names' }) names!: string[];
  /** PEM: the certificate, then those that lead to its authority. */
  @TextColumn({ name: 'chain' }) chain!: string;
  /** PEM of the private key, sealed. */
  @TextColumn({ name: 'sealed_key' }) sealedKey!: string;
  /** Who signed it, in a few words. */
  @StringColumn(255) issuer!: string;
  @TimeColumn({ name: 'begins_at' }) beginsAt!: Date;
  @TimeColumn({ name: 'ends_at' }) endsAt!: Date;
  @FlagColumn({ name: 'force_https', default: false }) forceHttps!: boolean;
  /** Directory of the authority; empty for an own one. */
  @StringColumn(255, { default: '' }) directory!: string;
  /** When it is ordered anew; null for an own one. */
  @TimeColumn({ name: 'renew_at', nullable: true }) renewAt!: Date | null;
  /** Orders in a row that were to renew it and failed. */
  @IntegerColumn({ name: 'renew_failures', default: 0 }) renewFailures!: number;
  /** Days before its end its owner was last told of; 0: not yet. */
  @IntegerColumn({ name: 'warned_days', default: 0 }) warnedDays!: number;
  /** When the authority declared it void; it is served until the next one is here. */
  @TimeColumn({ name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @TimeColumn({ name: 'installed_at' }) installedAt!: Date;
}
