import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { InstalledPlugin } from '../plugin-registry/index.js';
import { SiteSettings } from '../site/index.js';

/** Whether betas of a plugin are offered; empty: the panel's default. */
export type BetaChoice = InstalledPlugin['betas'];

/** Opt-in to betas as newer versions, for the panel and per plugin. */
@Injectable()
export class PluginBetas {
  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
  ) {}

  /** Default for plugins without their own setting. */
  get byDefault(): boolean {
    return this.settings.current.pluginBetas;
  }

  areWanted({ betas }: Pick<InstalledPlugin, 'betas'>): boolean {
    return betas === '' ? this.byDefault : betas === 'true';
  }

  /** Sets the default for plugins without their own setting. */
  async setDefault(areWanted: boolean): Promise<void> {
    await this.settings.change({ pluginBetas: areWanted });
    await this.forgetUnwanted();
  }

  async choose(plugin: InstalledPlugin, betas: BetaChoice): Promise<void> {
    const { id, slug } = plugin;
    await this.database.transaction(async () => {
      await this.database.repository(InstalledPlugin).update({ id }, { betas });
      this.database.noteChange({ of: 'plugin', id: slug }, plugin, { betas });
    });
    await this.forgetUnwanted();
  }

  /** Clears betas that were found while betas were enabled. */
  private async forgetUnwanted(): Promise<void> {
    const rows = this.database.repository(InstalledPlugin);
    const found = await rows.findBy({ newerBeta: true });
    const ids = found.filter((plugin) => !this.areWanted(plugin)).map(({ id }) => id);
    if (ids.length > 0) await rows.update(ids, { newerVersion: '', newerBeta: false });
  }
}
