import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { InstalledPlugins } from '../plugin-registry/index.js';

import { NewerInStore } from './newer-in-store.js';
import { PluginBetas } from './plugin-betas.js';
import { StoreCatalogue } from './store-catalogue.js';
import type { NewerVersion } from './store-notices.js';

/** Checks the store for newer and discontinued versions of plugins. */
@Injectable()
export class NewerVersions {
  private readonly setNewer;

  constructor(
    database: Database,
    private readonly catalogue: StoreCatalogue,
    private readonly installed: InstalledPlugins,
    private readonly betas: PluginBetas,
    private readonly store: NewerInStore,
  ) {
    this.setNewer = database.statement(
      `UPDATE {InstalledPlugin} SET {InstalledPlugin.newerVersion} = ?, {InstalledPlugin.newerBeta} = ?
       WHERE {InstalledPlugin.id} = ? AND ({InstalledPlugin.newerVersion} <> ? OR {InstalledPlugin.newerBeta} <> ?)`,
    );
  }

  /** Queries the store, stores newer versions for the list of plugins, and notifies of each once; includes betas where enabled. */
  async check(): Promise<NewerVersion[]> {
    const rows = (await this.installed.all()).filter(({ slug }) => this.catalogue.isOfStore(slug));
    const ids = new Map(rows.map(({ slug, id }) => [slug, id]));
    const installed = rows.map((row) => ({ slug: row.slug, version: row.version, withBetas: this.betas.areWanted(row) }));
    return this.store.check('plugin', installed, ({ slug, version, isBeta }) =>
      this.setNewer.run(version, isBeta, ids.get(slug)!, version, isBeta),
    );
  }
}
