import { Injectable } from '@nestjs/common';

import { Job } from '../jobs/index.js';

import { BlockedPlugins } from './blocked-plugins.js';
import { NewerVersions } from './newer-versions.js';
import { StoreClient } from './store-client.js';
import { BlockedThemes } from './themes/blocked-themes.js';
import { ThemeVersions } from './themes/theme-versions.js';

/** What a look at the store came to. */
export interface WatchReport {
  /** Plugins with a newer version. */
  readonly newer: readonly string[];
  /** How many were switched off because their store blocked them. */
  readonly blocked: number;
}

/** Asks the store once a day what must not run, what is newer, and what is not offered any more. */
@Injectable()
export class StoreWatch {
  constructor(
    private readonly client: StoreClient,
    private readonly blocked: BlockedPlugins,
    private readonly themes: BlockedThemes,
    private readonly newer: NewerVersions,
    private readonly themeVersions: ThemeVersions,
  ) {}

  @Job({ name: 'plugin-store', dailyAt: '04:50' })
  async daily(): Promise<number> {
    if (!this.client.exists) return 0;
    const { newer, blocked } = await this.look();
    return newer.length + blocked;
  }

  /** @throws PluginStoreError where there is no store, or it does not answer as one */
  async look(): Promise<WatchReport> {
    const blocked = (await this.blocked.switchOff()) + (await this.themes.switchOff());
    const newer = await this.newer.look();
    await this.themeVersions.look();
    return { blocked, newer: newer.map(({ slug }) => slug) };
  }
}
