import { Injectable } from '@nestjs/common';

import { ThemeUpdates } from '../../site/index.js';
import { PluginStoreError } from '../errors.js';
import { ASKED_AT_ONCE, StoreClient, type AskedItem } from '../store-client.js';
import { StoreNotices, type NewerVersion } from '../store-notices.js';
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
    private readonly notices: StoreNotices,
  ) {}

  /**
   * Asks afresh, keeps what is newer for the page of themes, and tells of each version once; of betas where they are wanted.
   *
   * @throws PluginStoreError where the store does not answer as one
   */
  async look(): Promise<NewerVersion[]> {
    const themes = this.exchange.packages().filter(({ name }) => this.isOfStore(name));
    const known = await this.updates.all();
    const newer: NewerVersion[] = [];
    for (const withBetas of [false, true]) {
      const wanted = themes.filter(({ name }) => this.betas.areWanted(known.get(name)?.betas) === withBetas);
      const asked = wanted.map(({ name, version }) => ({ slug: name, version }));
      for (let at = 0; at < asked.length; at += ASKED_AT_ONCE)
        newer.push(...(await this.ask(asked.slice(at, at + ASKED_AT_ONCE), withBetas)));
    }
    return newer;
  }

  isOfStore(name: string): boolean {
    return this.exchange.originOf(name)?.store === this.client.name;
  }

  /** @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE: nobody asks a store for its versions */
  requireOfStore(name: string): void {
    if (this.exchange.versionOf(name) === null) throw new PluginStoreError('NOT_INSTALLED', { slug: name });
    if (!this.isOfStore(name)) throw new PluginStoreError('NOT_FROM_STORE', { slug: name });
  }

  private async ask(themes: readonly AskedItem[], withBetas: boolean): Promise<NewerVersion[]> {
    const answer = await this.client.updates(themes, { type: 'theme', withBetas });
    const found = new Map(answer.updates.map((update) => [update.slug, update]));
    const newer: NewerVersion[] = [];
    for (const { slug } of themes) {
      const { version = '', channel = '' } = found.get(slug) ?? {};
      const isBeta = channel === 'beta';
      await this.updates.note(slug, version, isBeta);
      if (version !== '') newer.push({ slug, version, isBeta });
    }
    for (const one of newer) await this.notices.tellNewer('theme', one);
    await this.notices.tellNotOffered('theme', answer);
    return newer;
  }
}
