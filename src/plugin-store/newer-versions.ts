import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { InstalledPlugins, type InstalledPlugin } from '../plugin-registry/index.js';

import { PluginBetas } from './plugin-betas.js';
import { StoreCatalogue } from './store-catalogue.js';
import { ASKED_AT_ONCE, StoreClient } from './store-client.js';
import { StoreNotices, type NewerVersion } from './store-notices.js';

/** What the store has newer versions of, and what it does not offer any more. */
@Injectable()
export class NewerVersions {
  private readonly setNewer;

  constructor(
    database: Database,
    private readonly client: StoreClient,
    private readonly catalogue: StoreCatalogue,
    private readonly installed: InstalledPlugins,
    private readonly betas: PluginBetas,
    private readonly notices: StoreNotices,
  ) {
    this.setNewer = database.statement(
      `UPDATE {InstalledPlugin} SET {InstalledPlugin.newerVersion} = ?, {InstalledPlugin.newerBeta} = ?
       WHERE {InstalledPlugin.id} = ? AND ({InstalledPlugin.newerVersion} <> ? OR {InstalledPlugin.newerBeta} <> ?)`,
    );
  }

  /** Asks afresh, keeps what is newer for the list of plugins, and tells of each version once; of betas where they are wanted. */
  async look(): Promise<NewerVersion[]> {
    const rows = (await this.installed.all()).filter(({ slug }) => this.catalogue.isOfStore(slug));
    const newer: NewerVersion[] = [];
    for (const withBetas of [false, true]) {
      const asked = rows.filter((row) => this.betas.areWanted(row) === withBetas);
      for (let at = 0; at < asked.length; at += ASKED_AT_ONCE)
        newer.push(...(await this.ask(asked.slice(at, at + ASKED_AT_ONCE), withBetas)));
    }
    return newer;
  }

  private async ask(rows: readonly InstalledPlugin[], withBetas: boolean): Promise<NewerVersion[]> {
    const items = rows.map(({ slug, version }) => ({ slug, version }));
    const answer = await this.client.updates(items, { withBetas });
    const found = new Map(answer.updates.map((update) => [update.slug, update]));
    const newer: NewerVersion[] = [];
    for (const { id, slug } of rows) {
      const { version = '', channel = '' } = found.get(slug) ?? {};
      const isBeta = channel === 'beta';
      await this.setNewer.run(version, isBeta, id, version, isBeta);
      if (version !== '') newer.push({ slug, version, isBeta });
    }
    for (const one of newer) await this.notices.tellNewer('plugin', one);
    await this.notices.tellNotOffered('plugin', answer);
    return newer;
  }
}
