import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A plugin that was installed, and whether the administrator wants it on. */
@Entity('SVC_plugin')
@Unique('UQ_SVC_plugin_slug_key', ['slugKey'])
export class InstalledPlugin {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  /** The slug in lower case: slugs are unique ignoring case. */
  @StringColumn(64, { name: 'slug_key' }) slugKey!: string;
  @StringColumn(120, { default: '' }) name!: string;
  @StringColumn(32, { default: '0.0.0' }) version!: string;
  /** A version of its store that was newer when that was asked last; empty: none. */
  @StringColumn(32, { name: 'newer_version', default: '' }) newerVersion!: string;
  /** Whether that is a beta. */
  @FlagColumn({ name: 'newer_beta', default: false }) newerBeta!: boolean;
  /** Whether betas count as newer versions; empty: as the panel has it. */
  @StringColumn(5, { default: '' }) betas!: 'true' | 'false' | '';
  @FlagColumn({ default: false }) enabled!: boolean;
  /** Since when it is kept from running because its code failed again and again; null: it is not. */
  @TimeColumn({ name: 'quarantined_at', nullable: true }) quarantinedAt!: Date | null;
  /** Place and words of the last failure before that. */
  @StringColumn(800, { name: 'quarantine_reason', default: '' }) quarantineReason!: string;
  @TimeColumn({ name: 'installed_at' }) installedAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}
