import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../../common/index.js';
import { RevokedFiles } from '../revoked-files.js';
import { StoreNotices } from '../store-notices.js';
import { ThemeExchange } from './theme-exchange.js';

const log = loggerFor('theme');

/** Replaces themes blocked by their store with the default theme and notifies administrators of the reason. */
@Injectable()
export class BlockedThemes {
  constructor(
    private readonly exchange: ThemeExchange,
    private readonly revoked: RevokedFiles,
    private readonly notices: StoreNotices,
    private readonly clock: Clock,
  ) {}

  /** @returns number of disabled themes @throws PluginStoreError if the store's block list is unavailable */
  async switchOff(): Promise<number> {
    const themes = this.exchange.packages();
    if (themes.length === 0) return 0;
    const blocked = await this.revoked.list();
    let switchedOff = 0;
    for (const { name, version, folder } of themes) {
      const reason = await this.revoked.reasonFor(folder, blocked);
      if (reason === null || !(await this.exchange.switchOff(name))) continue;
      switchedOff += 1;
      log.error({ theme: name, version, reason }, 'a theme is disabled: its store blocked it');
      await this.notices.notifyBlocked('theme', name, version, reason, this.clock.now().getTime());
    }
    return switchedOff;
  }
}
