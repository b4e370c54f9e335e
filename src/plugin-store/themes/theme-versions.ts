import { Injectable } from '@nestjs/common';

import { ASKED_AT_ONCE, StoreClient } from '../store-client.js';
import { StoreNotices } from '../store-notices.js';
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
    private readonly notices: StoreNotices,
  ) {}

  /** Asks afresh, and tells of each once. @throws PluginStoreError where the store does not answer as one */
  async look(): Promise<void> {
    const themes = this.exchange.packages().filter(({ name }) => this.exchange.originOf(name)?.store === this.client.name);
    const asked = themes.map(({ name, version }) => ({ slug: name, version }));
    for (let at = 0; at < asked.length; at += ASKED_AT_ONCE) {
      const answer = await this.client.updates(asked.slice(at, at + ASKED_AT_ONCE), { type: 'theme' });
      for (const { slug, version } of answer.updates) await this.notices.tellNewer('theme', slug, version);
      await this.notices.tellNotOffered('theme', answer);
    }
  }
}
