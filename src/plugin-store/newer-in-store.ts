import { Injectable } from '@nestjs/common';

import type { PackageType } from '../packaging/index.js';

import { ASKED_AT_ONCE, StoreClient, type AskedItem } from './store-client.js';
import { StoreNotices, type NewerVersion } from './store-notices.js';

/** An item installed from the store, and whether betas count for it. */
export interface AskedFor extends AskedItem {
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
  async look(type: PackageType, items: readonly AskedFor[], note: (answer: NewerVersion) => Promise<unknown>): Promise<NewerVersion[]> {
    const newer: NewerVersion[] = [];
    for (const withBetas of [false, true]) {
      const asked = items.filter((item) => item.withBetas === withBetas);
      for (let at = 0; at < asked.length; at += ASKED_AT_ONCE) {
        const part = asked.slice(at, at + ASKED_AT_ONCE);
        const answer = await this.client.updates(part, { type, withBetas });
        const found = new Map(answer.updates.map((update) => [update.slug, update]));
        const told: NewerVersion[] = [];
        for (const { slug } of part) {
          const { version = '', channel = '' } = found.get(slug) ?? {};
          const one = { slug, version, isBeta: channel === 'beta' };
          await note(one);
          if (version !== '') told.push(one);
        }
        for (const one of told) await this.notices.tellNewer(type, one);
        await this.notices.tellNotOffered(type, answer);
        newer.push(...told);
      }
    }
    return newer;
  }
}
