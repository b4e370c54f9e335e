import { Injectable } from '@nestjs/common';

import { ThemeUpdates } from '../../site/index.js';
import { PluginStoreError } from '../errors.js';
import { NewerInStore } from '../newer-in-store.js';
import { StoreClient } from '../store-client.js';
import type { NewerVersion } from '../store-notices.js';
import { ThemeBetas } from './theme-betas.js';
import { ThemeExchange } from './theme-exchange.js';

/**
 * Themes that came from the store: administrators are told of newer versions, of those it does not offer any more, and of installed
 * versions that were withdrawn.
 */
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
   * Asks afresh, keeps what is newer for the page of themes, and tells of each version once; of betas where they are wanted.
   *
   * @throws PluginStoreError where the store does not answer as one
   */
  async look(): Promise<NewerVersion[]> {
    const known = await this.updates.all();
    const asked = this.exchange
      .packages()
      .filter(({ name }) => this.isOfStore(name))
      .map(({ name, version }) => ({ slug: name, version, withBetas: this.betas.areWanted(known.get(name)?.betas) }));
    return this.store.look('theme', asked, ({ slug, version, isBeta }) => this.updates.note(slug, version, isBeta));
  }

  isOfStore(name: string): boolean {
    return this.exchange.originOf(name)?.store === this.client.name;
  }

  /** @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE: nobody asks a store for its versions */
  requireOfStore(name: string): void {
    if (this.exchange.versionOf(name) === null) throw new PluginStoreError('NOT_INSTALLED', { slug: name });
    if (!this.isOfStore(name)) throw new PluginStoreError('NOT_FROM_STORE', { slug: name });
  }
}
