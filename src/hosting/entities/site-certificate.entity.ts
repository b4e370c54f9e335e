import { Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** Source of a certificate: ordered from an authority by the panel, or uploaded by its owner. */
export type CertificateSource = 'acme' | 'own';

/** The certificate of a site, the source of truth for its server. Deleted with its account. */
@Entity('SVC_site_cert')
@Index('IX_SVC_site_cert_ends', ['endsAt', 'accountId'])
@Index('IX_SVC_site_cert_renew', ['renewAt', 'accountId'])
export class SiteCertificate {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_cert_zj' })
  account?: HostingAccount;
  /** Changes with every update and is unique across accounts, so it identifies this exact certificate. */
  @StringColumn(32) version!: string;
  @StringColumn(10) source!: CertificateSource;
  /** Names in the certificate, in lower case. */
  @JsonColumn({ name: 'names' }) names!: string[];
  /** PEM: the certificate, then the intermediate certificates. */
  @TextColumn({ name: 'chain' }) chain!: string;
  /** PEM of the private key, encrypted. */
  @TextColumn({ name: 'sealed_key' }) sealedKey!: string;
  /** Short name of the issuer. */
  @StringColumn(255) issuer!: string;
  @TimeColumn({ name: 'begins_at' }) beginsAt!: Date;
  @TimeColumn({ name: 'ends_at' }) endsAt!: Date;
  @FlagColumn({ name: 'force_https', default: false }) forceHttps!: boolean;
  /** Directory URL of the authority; empty for an uploaded one. */
  @StringColumn(255, { default: '' }) directory!: string;
  /** When it is renewed; null for an uploaded one. */
  @TimeColumn({ name: 'renew_at', nullable: true }) renewAt!: Date | null;
  /** Consecutive failed renewal orders. */
  @IntegerColumn({ name: 'renew_failures', default: 0 }) renewFailures!: number;
  /** The days before expiry of the last warning to its owner; 0: none yet. */
  @IntegerColumn({ name: 'warned_days', default: 0 }) warnedDays!: number;
  /** When the authority revoked it; it is still served until its replacement is installed. */
  @TimeColumn({ name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @TimeColumn({ name: 'installed_at' }) installedAt!: Date;
}
