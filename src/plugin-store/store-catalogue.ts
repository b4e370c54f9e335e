import { Injectable } from '@nestjs/common';

import { grantedBy, asksBeyond, compareVersions, meets, UNDECLARED } from '../packaging/index.js';
import { originOf, PackageFolders, type InstalledPlugin, type PackageOrigin } from '../plugin-registry/index.js';
import { API_VERSION } from '../sdk/index.js';

import { otherAuthor, requireToldAuthor } from './author-keys.js';
import { PluginStoreError } from './errors.js';
import { PackageExchange } from './package-exchange.js';
import { requireAgreed, type PluginAction } from './plugin-actions.js';
import { StoreClient } from './store-client.js';
import { requireNewer, StorePackages, type WantedVersion } from './store-packages.js';
import type { StoreItemWire, StoreVersionWire } from './store-wire.js';

/** How an item stands in this panel. */
export type ItemState = 'available' | 'installed' | 'newer' | 'other';

/** An item of the store, and what this panel has of it. */
export interface ShownItem {
  readonly item: StoreItemWire;
  readonly state: ItemState;
  /** The version that is installed; empty: none. */
  readonly installed: string;
}

/** A version, and whether it runs here. */
export interface ShownVersion extends StoreVersionWire {
  readonly fits: boolean;
  /** Permissions the panel asks for that the installed version has not. */
  readonly asks: readonly string[];
  /** Who signed it where that is not who signed the installed version, as {@link otherAuthor} tells it; empty: no question. */
  readonly asksAuthor: string;
}

/** Which version is wanted, and what somebody agreed to. */
export interface Wanted extends WantedVersion {
  readonly permissions: readonly string[];
  /** The key of another author, as {@link otherAuthor} tells it; empty: none. */
  readonly author?: string;
}

/** The store as this panel sees it: what is installed, what would be an upgrade, what runs here. */
@Injectable()
export class StoreCatalogue {
  constructor(
    private readonly client: StoreClient,
    private readonly packages: StorePackages,
    private readonly folders: PackageFolders,
    private readonly exchange: PackageExchange,
  ) {}

  /** How an item stands. */
  async shown(item: StoreItemWire): Promise<ShownItem> {
    const row = await this.exchange.rowOf(item.slug);
    if (!row) return { item, state: 'available', installed: '' };
    if (row.slug !== item.slug || !this.isOfStore(row.slug)) return { item, state: 'other', installed: row.version };
    return { item, state: compareVersions(item.version, row.version) > 0 ? 'newer' : 'installed', installed: row.version };
  }

  /** Published versions, newest first. */
  async versions({ id, slug }: StoreItemWire): Promise<ShownVersion[]> {
    const origin = this.originOf(slug);
    const agreed = origin ? grantedBy(origin.permissions) : [];
    return (await this.client.versions(id)).map((version) => ({
      ...version,
      fits: meets(API_VERSION, version.requires_svc),
      asks: asksBeyond(version.permissions, agreed),
      asksAuthor: otherAuthor(origin, version.author_keys ?? []),
    }));
  }

  /**
   * What to do for a version to be there, all that can be known before it is fetched looked at.
   *
   * @throws PluginStoreError ITEM_UNKNOWN, VERSION_UNKNOWN, DIGEST_ASKED, NOT_FOR_THIS_PANEL, INSTALLED_ALREADY, OLDER, ASKS,
   *   AUTHOR_CHANGED, AUTHOR_GONE
   */
  async actionFor(slug: string, wanted: Wanted): Promise<PluginAction> {
    const { item, told } = await this.packages.find('plugin', slug, wanted);
    const row = await this.exchange.rowOf(item.slug);
    if (row) requireNewer(row.slug, told.version, row.version);
    const permissions = [...new Set([...wanted.permissions, ...this.agreedFor(item.slug)])];
    requireAgreed({ slug: item.slug, permissions: told.permissions }, permissions);
    const { author = '' } = wanted;
    requireToldAuthor(item.slug, told, this.originOf(item.slug), author);
    return { kind: 'store', slug: item.slug, version: told.version, sha256: told.sha256, permissions, author };
  }

  /** A plugin that was installed from this store. @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE */
  async requireOfStore(slug: string): Promise<InstalledPlugin> {
    const row = await this.exchange.rowOf(slug);
    if (!row) throw new PluginStoreError('NOT_INSTALLED', { slug });
    if (!this.isOfStore(slug)) throw new PluginStoreError('NOT_FROM_STORE', { slug });
    return row;
  }

  /** Whether a plugin was installed from this store. */
  isOfStore(slug: string): boolean {
    return this.originOf(slug)?.store === this.client.name;
  }

  /** What was agreed to for the version that is installed; where none is, a package that does not say what it needs may come. */
  agreedFor(slug: string): readonly string[] {
    const origin = this.originOf(slug);
    return origin ? grantedBy(origin.permissions) : [UNDECLARED];
  }

  /** Where the files of a plugin come from; null where somebody put them there by hand. */
  originOf(slug: string): PackageOrigin | null {
    return originOf(this.folders.folderOf(slug));
  }
}
