import { existsSync } from 'node:fs';

import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../common/index.js';
import { InstalledPlugins, PackageFolders, PluginRegistry } from '../plugin-registry/index.js';

import { RevokedFiles } from './revoked-files.js';
import { StoreNotices } from './store-notices.js';

const log = loggerFor('plugins');

/** Disables plugins blocked by their store and notifies administrators of the reason. */
@Injectable()
export class BlockedPlugins {
  constructor(
    private readonly installed: InstalledPlugins,
    private readonly folders: PackageFolders,
    private readonly registry: PluginRegistry,
    private readonly revoked: RevokedFiles,
    private readonly notices: StoreNotices,
    private readonly clock: Clock,
  ) {}

  /** @returns number of disabled plugins @throws PluginStoreError if the store's block list is unavailable */
  async switchOff(): Promise<number> {
    const rows = (await this.installed.all()).filter(({ slug, enabled }) => enabled && existsSync(this.folders.folderOf(slug)));
    if (rows.length === 0) return 0;
    const blocked = await this.revoked.list();
    let switchedOff = 0;
    for (const { slug, version } of rows) {
      const reason = await this.revoked.reasonFor(this.folders.folderOf(slug), blocked);
      if (reason === null) continue;
      await this.registry.disable(slug);
      switchedOff += 1;
      log.error({ plugin: slug, version, reason }, 'a plugin is disabled: its store blocked it');
      await this.notices.notifyBlocked('plugin', slug, version, reason, this.clock.now().getTime());
    }
    return switchedOff;
  }
}
