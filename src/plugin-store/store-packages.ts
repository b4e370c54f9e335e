import { rm } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { compareVersions, meets, type PackageType } from '../packaging/index.js';
import { API_VERSION } from '../sdk/index.js';

import { PluginStoreError } from './errors.js';
import { PackageCheck, type CheckedPackage } from './package-check.js';
import { StoreClient } from './store-client.js';
import type { StoreItemWire, StoreVersionWire } from './store-wire.js';

/** The requested version, by default the published one, and its digest if it was reviewed. */
export interface WantedVersion {
  readonly version?: string | undefined;
  readonly sha256?: string | undefined;
}

/** Finds and downloads packages of plugins and themes. */
@Injectable()
export class StorePackages {
  constructor(
    private readonly client: StoreClient,
    private readonly check: PackageCheck,
  ) {}

  /** Finds the requested version. @throws PluginStoreError ITEM_UNKNOWN, VERSION_UNKNOWN, DIGEST_ASKED, NOT_FOR_THIS_PANEL */
  async find(type: PackageType, slug: string, wanted: WantedVersion): Promise<{ item: StoreItemWire; listed: StoreVersionWire }> {
    const item = await this.client.item(slug, type);
    const version = wanted.version ?? item.version;
    const listed = (await this.client.versions(item.id)).find((one) => one.version.toLowerCase() === version.toLowerCase());
    if (!listed) throw new PluginStoreError('VERSION_UNKNOWN', { version });
    const { sha256, requires_svc: range } = listed;
    if (wanted.sha256 !== undefined && wanted.sha256.toLowerCase() !== sha256) throw new PluginStoreError('DIGEST_ASKED', { version });
    if (!meets(API_VERSION, range)) throw new PluginStoreError('NOT_FOR_THIS_PANEL', { range, present: API_VERSION });
    return { item, listed };
  }

  /** Downloads the chosen version. @throws PluginStoreError if it no longer matches the choice */
  async fetch(type: PackageType, slug: string, wanted: Required<WantedVersion>, path: string): Promise<CheckedPackage> {
    const { version, sha256 } = wanted;
    const item = await this.client.item(slug, type);
    const listed = (await this.client.versions(item.id)).find((one) => one.version === version);
    if (!listed) throw new PluginStoreError('VERSION_UNKNOWN', { version });
    if (listed.sha256 !== sha256) throw new PluginStoreError('DIGEST_ASKED', { version });
    await rm(path, { force: true });
    await this.client.download(item.id, version!, path);
    return this.check.ofStore(path, item.slug, listed, type);
  }
}

/**
 * Requires a version newer than the present one. @param again whether reinstalling the same version is allowed @throws PluginStoreError
 * INSTALLED_ALREADY, OLDER
 */
export function requireNewer(slug: string, version: string, present: string, { again = false } = {}): void {
  const difference = compareVersions(version, present);
  if (difference < 0) throw new PluginStoreError('OLDER', { slug, version, present });
  if (difference === 0 && !again) throw new PluginStoreError('INSTALLED_ALREADY', { slug, version });
}
