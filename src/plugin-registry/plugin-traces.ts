import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls } from '../common/index.js';
import { DurableListeners } from '../hooks/index.js';

import type { InstalledPlugin } from './entities/index.js';
import { InstalledPlugins } from './installed-plugins.js';
import { PluginBelongings } from './plugin-belongings.js';
import { PluginOptions } from './plugin-options.js';

/** Everything the panel stores about a plugin besides its files. */
@Injectable()
export class PluginTraces {
  constructor(
    private readonly installed: InstalledPlugins,
    private readonly listeners: DurableListeners,
    private readonly options: PluginOptions,
    private readonly belongings: PluginBelongings,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
  ) {}

  /** Handles a disabled plugin: events no longer wait for it. */
  async rest(slug: string): Promise<void> {
    await this.listeners.deactivate(slug);
  }

  /** Deletes a plugin that runs in no process. @param keepData keeps its tables, options and files for a later installation */
  async forget(row: InstalledPlugin, keepData: boolean): Promise<void> {
    await this.installed.remove(row, async () => {
      if (!keepData) await this.options.clear(row.slug);
    });
    await this.listeners.forget(row.slug);
    await this.belongings.drop(row.slug, keepData);
    this.faults.clear(row.slug);
    this.calls.forget(row.slug);
  }
}
