import { Injectable } from '@nestjs/common';

import type { PackageType } from '../packaging/index.js';

import { UPDATE_CHECK_BATCH, StoreClient, type InstalledItem } from './store-client.js';
import { StoreNotices, type NewerVersion } from './store-notices.js';

/** An item installed from the store, and whether betas count for it. */
export interface CheckedItem extends InstalledItem {
  readonly withBetas: boolean;
}

/** Asks the store for newer and discontinued versions of plugins or themes. */
@Injectable()
export class NewerInStore {
  constructor(
    private readonly client: StoreClient,
    private readonly notices: StoreNotices,
  ) {}

  /**
   * Queries the store and notifies of each new version once.
   *
   * @param note stores the answer for each item; its version is empty if there is no newer one
   * @throws PluginStoreError if the store's answer is missing or invalid
   */
  async check(type: PackageType, items: readonly CheckedItem[], note: (answer: NewerVersion) => Promise<unknown>): Promise<NewerVersion[]> {
    const newer: NewerVersion[] = [];
    for (const withBetas of [false, true]) {
      const checked = items.filter((item) => item.withBetas === withBetas);
      for (let at = 0; at < checked.length; at += UPDATE_CHECK_BATCH) {
        const part = checked.slice(at, at + UPDATE_CHECK_BATCH);
        const answer = await this.client.updates(part, { type, withBetas });
        const found = new Map(answer.updates.map((update) => [update.slug, update]));
        const newVersions: NewerVersion[] = [];
        for (const { slug } of part) {
          const { version = '', channel = '' } = found.get(slug) ?? {};
          const one = { slug, version, isBeta: channel === 'beta' };
          await note(one);
          if (version !== '') newVersions.push(one);
        }
        for (const one of newVersions) await this.notices.notifyNewer(type, one);
        await this.notices.notifyDiscontinued(type, answer);
        newer.push(...newVersions);
      }
    }
    return newer;
  }
}
