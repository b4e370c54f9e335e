import { Injectable } from '@nestjs/common';

import { grantedBy, newPermissions, compareVersions, meets, UNDECLARED } from '../packaging/index.js';
import { originOf, PackageFolders, type InstalledPlugin, type PackageOrigin } from '../plugin-registry/index.js';
import { API_VERSION } from '../sdk/index.js';

import { otherAuthor, requireListedAuthor } from './author-keys.js';
import { PluginStoreError } from './errors.js';
import { PackageExchange } from './package-exchange.js';
import { requireAgreed, type PluginAction } from './plugin-actions.js';
import { StoreClient } from './store-client.js';
import { requireNewer, StorePackages, type WantedVersion } from './store-packages.js';
import type { StoreItemWire, StoreVersionWire } from './store-wire.js';

/** State of an item in this panel. */
export type ItemState = 'available' | 'installed' | 'newer' | 'other';

/** A store item with its state in this panel. */
export interface ShownItem {
  readonly item: StoreItemWire;
  readonly state: ItemState;
  /** Installed version; empty: none. */
  readonly installed: string;
}

/** A version, and whether it is compatible with this panel. */
export interface ShownVersion extends StoreVersionWire {
  readonly fits: boolean;
  /** Requested permissions that the installed version does not have. */
  readonly newPermissions: readonly string[];
  /**
   * The signing key if the author differs from the installed version's, as returned by {@link otherAuthor}; empty: no confirmation needed.
   */
  readonly changedAuthor: string;
}

/** The requested version and the administrator's consent. */
export interface Wanted extends WantedVersion {
  readonly permissions: readonly string[];
  /** Confirmed key of another author, as returned by {@link otherAuthor}; empty: none. */
  readonly author?: string;
}

/** The store as seen by this panel: what is installed, upgradable or compatible. */
@Injectable()
export class StoreCatalogue {
  constructor(
    private readonly client: StoreClient,
    private readonly packages: StorePackages,
    private readonly folders: PackageFolders,
    private readonly exchange: PackageExchange,
  ) {}

  /** Adds the state of an item in this panel. */
  async shown(item: StoreItemWire): Promise<ShownItem> {
    const row = await this.exchange.rowOf(item.slug);
    if (!row) return { item, state: 'available', installed: '' };
    if (row.slug !== item.slug || !this.isOfStore(row.slug)) return { item, state: 'other', installed: row.version };
    return { item, state: compareVersions(item.version, row.version) > 0 ? 'newer' : 'installed', installed: row.version };
  }

  /** Returns the published versions, newest first. */
  async versions({ id, slug }: StoreItemWire): Promise<ShownVersion[]> {
    const origin = this.originOf(slug);
    const agreed = origin ? grantedBy(origin.permissions) : [];
    return (await this.client.versions(id)).map((version) => ({
      ...version,
      fits: meets(API_VERSION, version.requires_svc),
      newPermissions: newPermissions(version.permissions, agreed),
      changedAuthor: otherAuthor(origin, version.author_keys ?? []),
    }));
  }

  /**
   * Returns the action that installs a version, after all checks possible before the download.
   *
   * @throws PluginStoreError ITEM_UNKNOWN, VERSION_UNKNOWN, DIGEST_ASKED, NOT_FOR_THIS_PANEL, INSTALLED_ALREADY, OLDER, ASKS,
   *   AUTHOR_CHANGED, AUTHOR_GONE
   */
  async actionFor(slug: string, wanted: Wanted): Promise<PluginAction> {
    const { item, listed } = await this.packages.find('plugin', slug, wanted);
    const row = await this.exchange.rowOf(item.slug);
    if (row) requireNewer(row.slug, listed.version, row.version);
    const permissions = [...new Set([...wanted.permissions, ...this.agreedFor(item.slug)])];
    requireAgreed({ slug: item.slug, permissions: listed.permissions }, permissions);
    const { author = '' } = wanted;
    requireListedAuthor(item.slug, listed, this.originOf(item.slug), author);
    return { kind: 'store', slug: item.slug, version: listed.version, sha256: listed.sha256, permissions, author };
  }

  /** Returns a plugin installed from this store. @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE */
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

  /** Permissions agreed to for the installed version; for a new installation, only a package without declared permissions is allowed. */
  agreedFor(slug: string): readonly string[] {
    const origin = this.originOf(slug);
    return origin ? grantedBy(origin.permissions) : [UNDECLARED];
  }

  /** Returns the origin of a plugin's files; null if they were placed manually. */
  originOf(slug: string): PackageOrigin | null {
    return originOf(this.folders.folderOf(slug));
  }
}
