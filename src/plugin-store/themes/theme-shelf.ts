import { Injectable } from '@nestjs/common';

import { compareVersions, meets } from '../../packaging/index.js';
import { API_VERSION } from '../../sdk/index.js';
import { ThemeCatalogue } from '../../theme/index.js';
import { otherAuthor } from '../author-keys.js';
import type { ShownItem, ShownVersion } from '../store-catalogue.js';
import { StoreClient } from '../store-client.js';
import type { StoreItemWire } from '../store-wire.js';
import { ThemeExchange } from './theme-exchange.js';

/** The store's themes as seen by this panel: what is installed, upgradable or compatible. */
@Injectable()
export class ThemeShelf {
  constructor(
    private readonly client: StoreClient,
    private readonly catalogue: ThemeCatalogue,
    private readonly exchange: ThemeExchange,
  ) {}

  /** Adds the state of an item. `other` without an installed version: the name belongs to a bundled theme. */
  shown(item: StoreItemWire): ShownItem {
    const present = this.catalogue.list().find(({ name }) => name.toLowerCase() === item.slug.toLowerCase());
    if (!present) return { item, state: 'available', installed: '' };
    const { name, version } = present;
    if (name !== item.slug || !this.catalogue.isInstalled(name)) return { item, state: 'other', installed: '' };
    if (this.exchange.originOf(name)?.store !== this.client.name) return { item, state: 'other', installed: version };
    return { item, state: compareVersions(item.version, version) > 0 ? 'newer' : 'installed', installed: version };
  }

  /** Returns the published versions, newest first. */
  async versions({ id, slug }: StoreItemWire): Promise<ShownVersion[]> {
    const versions = await this.client.versions(id);
    const origin = this.exchange.originOf(slug);
    return versions.map((version) => ({
      ...version,
      fits: meets(API_VERSION, version.requires_svc),
      newPermissions: [],
      changedAuthor: otherAuthor(origin, version.author_keys ?? []),
    }));
  }
}
