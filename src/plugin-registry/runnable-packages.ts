import { Injectable } from '@nestjs/common';

import type { InstalledPlugin } from './entities/index.js';
import { PluginError } from './errors.js';
import { orderByDependencies } from './package/dependency-order.js';
import type { PluginPackage } from './package/manifest.js';
import { PluginFolders } from './package/plugin-folders.js';
import { PluginUpgrades } from './plugin-upgrades.js';
import { PluginRuntime } from './plugin-runtime.js';

/** Selects the version of each plugin to run, and the start order. */
@Injectable()
export class RunnablePackages {
  constructor(
    private readonly folders: PluginFolders,
    private readonly runtime: PluginRuntime,
    private readonly upgrades: PluginUpgrades,
  ) {}

  /**
   * Returns the package to run for a row: the running one until it is replaced by request; else the one in the folder; if that is not a
   * valid plugin, the last one that ran.
   *
   * @param isCurrent whether the running version was started for this state of the row
   * @throws PluginError those of {@link PluginFolders.read}
   */
  of({ slug }: InstalledPlugin, isCurrent: boolean): PluginPackage {
    const running = isCurrent ? this.runtime.packageOf(slug) : undefined;
    try {
      const found = this.folders.read(slug);
      return running ?? found;
    } catch (error) {
      const isGone = error instanceof PluginError && error.code === 'PLUGIN_NOT_FOUND';
      const instead = isGone ? null : (running ?? this.upgrades.versionBefore(slug, null, error));
      if (instead) return instead;
      throw error;
    }
  }

  /** Returns the start order. New files with unmet dependencies do not stop a plugin: its previous version is used instead. */
  order(packages: PluginPackage[]): ReturnType<typeof orderByDependencies<PluginPackage>> {
    const order = orderByDependencies(packages);
    const instead = packages.map((plugin) => {
      const problem = this.runtime.packageOf(plugin.slug) === plugin ? undefined : order.blocked.get(plugin.slug);
      return (problem && this.upgrades.versionBefore(plugin.slug, plugin, problem)) ?? plugin;
    });
    return instead.some((plugin, at) => plugin !== packages[at]) ? orderByDependencies(instead) : order;
  }
}
