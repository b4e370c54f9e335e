import { Injectable } from '@nestjs/common';

import { Job } from '../jobs/index.js';

import { BlockedPlugins } from './blocked-plugins.js';
import { NewerVersions } from './newer-versions.js';
import { StoreClient } from './store-client.js';
import { BlockedThemes } from './themes/blocked-themes.js';
import { ThemeVersions } from './themes/theme-versions.js';

/** Result of a store check. */
export interface WatchReport {
  /** Slugs of plugins with a newer version. */
  readonly newer: readonly string[];
  /** Number of plugins and themes disabled because their store blocked them. */
  readonly blocked: number;
}

/** Checks the store daily for blocked, newer and discontinued items. */
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
    const { newer, blocked } = await this.check();
    return newer.length + blocked;
  }

  /** Runs the check. @throws PluginStoreError if no store is configured or its answer is missing or invalid */
  async check(): Promise<WatchReport> {
    const blocked = (await this.blocked.switchOff()) + (await this.themes.switchOff());
    const newer = await this.newer.check();
    await this.themeVersions.check();
    return { blocked, newer: newer.map(({ slug }) => slug) };
  }
}
