import { Injectable } from '@nestjs/common';

import { IsNull } from 'typeorm';

import { Clock, packWords, type Words } from '../common/index.js';
import { Database, Generations } from '../database/index.js';

import { InstalledPlugin } from './entities/index.js';
import { PluginError } from './errors.js';
import type { PluginPackage } from './package/manifest.js';

/** Generation counter by which all processes notice changes of the enabled plugins. */
export const PLUGIN_GENERATION = 'plugins';

/** Fields of a plugin that the operation log records. */
const TOLD = ['version', 'enabled'];

/** Rows of installed and enabled plugins. Every change raises {@link PLUGIN_GENERATION} in its transaction. */
@Injectable()
export class InstalledPlugins {
  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly clock: Clock,
  ) {}

  /** Lists installed plugins in order of installation, at most 1,000. */
  all(): Promise<InstalledPlugin[]> {
    return this.database.repository(InstalledPlugin).find({ order: { id: 'ASC' }, take: 1_000 });
  }

  /** @throws PluginError NOT_INSTALLED, also for a different spelling of an installed slug */
  async get(slug: string): Promise<InstalledPlugin> {
    const row = await this.byKey(slug);
    if (row?.slug !== slug) throw new PluginError('NOT_INSTALLED');
    return row;
  }

  /** @throws PluginError SLUG_TAKEN when the slug is installed in another spelling */
  async checkSpelling(slug: string): Promise<void> {
    const row = await this.byKey(slug);
    if (row && row.slug !== slug) throw new PluginError('SLUG_TAKEN', { slug: row.slug });
  }

  /** Stores a plugin as installed, or updates its name and version. Returns the row's new `updatedAt`. */
  async save(plugin: PluginPackage, changes: { enabled?: boolean }): Promise<Date> {
    const updatedAt = this.clock.now();
    await this.change(async () => {
      const rows = this.database.repository(InstalledPlugin);
      const existing = await this.byKey(plugin.slug);
      const outOfQuarantine = changes.enabled ? { quarantinedAt: null, quarantineReason: '' } : {};
      const values = { name: plugin.name, version: plugin.version, updatedAt, ...outOfQuarantine, ...changes };
      this.database.noteChange({ of: 'plugin', id: plugin.slug, only: TOLD }, existing, { enabled: false, ...existing, ...values });
      if (existing) await rows.update({ id: existing.id }, values);
      else await rows.insert({ slug: plugin.slug, slugKey: plugin.slug.toLowerCase(), enabled: false, installedAt: updatedAt, ...values });
    });
    return updatedAt;
  }

  /** Keeps an enabled plugin from running until it is enabled again. @returns whether it was not quarantined before */
  async quarantine(slug: string, at: Date, reason: Words): Promise<boolean> {
    let isNew = false;
    await this.change(async () => {
      const rows = this.database.repository(InstalledPlugin);
      const { affected } = await rows.update(
        { slugKey: slug.toLowerCase(), enabled: true, quarantinedAt: IsNull() },
        { quarantinedAt: at, quarantineReason: packWords(reason, 800) },
      );
      isNew = (affected ?? 0) > 0;
    });
    return isNew;
  }

  /** Marks a plugin as disabled. */
  async disable(row: InstalledPlugin): Promise<void> {
    const { id, slug } = row;
    await this.change(async () => {
      this.database.noteChange({ of: 'plugin', id: slug }, row, { enabled: false });
      await this.database
        .repository(InstalledPlugin)
        .update({ id }, { enabled: false, quarantinedAt: null, quarantineReason: '', updatedAt: this.clock.now() });
    });
  }

  /** Deletes a plugin's row, together with what `also` deletes in the same transaction. */
  async remove(row: InstalledPlugin, also: () => Promise<void>): Promise<void> {
    const { id, slug } = row;
    await this.change(async () => {
      this.database.noteChange({ of: 'plugin', id: slug, only: TOLD }, row, null);
      await this.database.repository(InstalledPlugin).delete({ id });
      await also();
    });
  }

  private byKey(slug: string): Promise<InstalledPlugin | null> {
    return this.database.repository(InstalledPlugin).findOneBy({ slugKey: slug.toLowerCase() });
  }

  private change(work: () => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      await work();
      await this.generations.bump(PLUGIN_GENERATION);
    });
  }
}
