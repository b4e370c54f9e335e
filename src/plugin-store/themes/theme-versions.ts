import { Injectable } from '@nestjs/common';

import { ThemeUpdates } from '../../site/index.js';
import { PluginStoreError } from '../errors.js';
import { NewerInStore } from '../newer-in-store.js';
import { StoreClient } from '../store-client.js';
import type { NewerVersion } from '../store-notices.js';
import { ThemeBetas } from './theme-betas.js';
import { ThemeExchange } from './theme-exchange.js';

/** Checks themes installed from the store and notifies administrators of newer versions, discontinued themes and withdrawn versions. */
@Injectable()
export class ThemeVersions {
  constructor(
    private readonly client: StoreClient,
    private readonly exchange: ThemeExchange,
    private readonly betas: ThemeBetas,
    private readonly updates: ThemeUpdates,
    private readonly store: NewerInStore,
  ) {}

  /**
   * Queries the store, stores newer versions for the themes page, and notifies of each once; includes betas where enabled.
   *
   * @throws PluginStoreError if the store's answer is missing or invalid
   */
  async check(): Promise<NewerVersion[]> {
    const known = await this.updates.all();
    const installed = this.exchange
      .packages()
      .filter(({ name }) => this.isOfStore(name))
      .map(({ name, version }) => ({ slug: name, version, withBetas: this.betas.areWanted(known.get(name)?.betas) }));
    return this.store.check('theme', installed, ({ slug, version, isBeta }) => this.updates.note(slug, version, isBeta));
  }

  isOfStore(name: string): boolean {
    return this.exchange.originOf(name)?.store === this.client.name;
  }

  /** @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE for a theme without a store to query */
  requireOfStore(name: string): void {
    if (this.exchange.versionOf(name) === null) throw new PluginStoreError('NOT_INSTALLED', { slug: name });
    if (!this.isOfStore(name)) throw new PluginStoreError('NOT_FROM_STORE', { slug: name });
  }
}
