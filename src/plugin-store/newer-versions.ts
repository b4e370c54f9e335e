import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { InstalledPlugins, type InstalledPlugin } from '../plugin-registry/index.js';

import { StoreCatalogue } from './store-catalogue.js';
import { ASKED_AT_ONCE, StoreClient } from './store-client.js';
import { StoreNotices } from './store-notices.js';

/** What the store has newer versions of, and what it does not offer any more. */
@Injectable()
export class NewerVersions {
  private readonly setNewer;

  constructor(
    database: Database,
    private readonly client: StoreClient,
    private readonly catalogue: StoreCatalogue,
    private readonly installed: InstalledPlugins,
    private readonly notices: StoreNotices,
  ) {
    this.setNewer = database.statement(
      `UPDATE {InstalledPlugin} SET {InstalledPlugin.newerVersion} = ?
       WHERE {InstalledPlugin.id} = ? AND {InstalledPlugin.newerVersion} <> ?`,
    );
  }

  /** Asks afresh, keeps what is newer for the list of plugins, and tells of each version once. @returns slugs with a newer version */
  async look(): Promise<string[]> {
    const rows = (await this.installed.all()).filter(({ slug }) => this.catalogue.isOfStore(slug));
    const newer: string[] = [];
    for (let at = 0; at < rows.length; at += ASKED_AT_ONCE) newer.push(...(await this.ask(rows.slice(at, at + ASKED_AT_ONCE))));
    return newer;
  }

  private async ask(rows: readonly InstalledPlugin[]): Promise<string[]> {
    const answer = await this.client.updates(rows.map(({ slug, version }) => ({ slug, version })));
    const found = new Map(answer.updates.map(({ slug, version }) => [slug, version]));
    for (const { id, slug } of rows) {
      const version = found.get(slug) ?? '';
      await this.setNewer.run(version, id, version);
      if (version !== '') await this.notices.tellNewer('plugin', slug, version);
    }
    await this.notices.tellNotOffered('plugin', answer);
    return rows.filter(({ slug }) => found.has(slug)).map(({ slug }) => slug);
  }
}
