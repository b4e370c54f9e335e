import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** An installed plugin, and whether the administrator enabled it. */
@Entity('SVC_plugin')
@Unique('UQ_SVC_plugin_slug_key', ['slugKey'])
export class InstalledPlugin {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) slug!: string;
  /** The slug in lower case: slugs are unique ignoring case. */
  @StringColumn(64, { name: 'slug_key' }) slugKey!: string;
  @StringColumn(120, { default: '' }) name!: string;
  @StringColumn(32, { default: '0.0.0' }) version!: string;
  /** Newer version found at the last check of its store; empty for none. */
  @StringColumn(32, { name: 'newer_version', default: '' }) newerVersion!: string;
  /** Whether that version is a beta. */
  @FlagColumn({ name: 'newer_beta', default: false }) newerBeta!: boolean;
  /** Whether betas count as newer versions; empty follows the panel's setting. */
  @StringColumn(5, { default: '' }) betas!: 'true' | 'false' | '';
  @FlagColumn({ default: false }) enabled!: boolean;
  /** Since when the plugin is quarantined because of repeated failures; null if it is not. */
  @TimeColumn({ name: 'quarantined_at', nullable: true }) quarantinedAt!: Date | null;
  /** Place and message of the failure that led to quarantine. */
  @StringColumn(800, { name: 'quarantine_reason', default: '' }) quarantineReason!: string;
  @TimeColumn({ name: 'installed_at' }) installedAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}
