import { Injectable } from '@nestjs/common';

import type { InstalledPlugin } from './entities/index.js';
import { PluginError } from './errors.js';
import { orderByDependencies } from './package/dependency-order.js';
import type { PluginPackage } from './package/manifest.js';
import { PluginFolders } from './package/plugin-folders.js';
import { PluginUpgrades } from './plugin-upgrades.js';
import { PluginRuntime } from './plugin-runtime.js';

/** Which files of a plugin are to run, and in which order plugins start. */
@Injectable()
export class RunnablePackages {
  constructor(
    private readonly folders: PluginFolders,
    private readonly runtime: PluginRuntime,
    private readonly upgrades: PluginUpgrades,
  ) {}

  /**
   * What is to run for a row: what runs already, until somebody switches over; else what lies in the folder; and where that is
   * no plugin any more, what ran last.
   *
   * @param isCurrent whether what runs was started for this state of the row
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

  /**
   * The order to start in. New files that need what is not there do not switch a plugin off either: the version before takes their place.
   */
  order(packages: PluginPackage[]): ReturnType<typeof orderByDependencies<PluginPackage>> {
    const order = orderByDependencies(packages);
    const instead = packages.map((plugin) => {
      const problem = this.runtime.packageOf(plugin.slug) === plugin ? undefined : order.blocked.get(plugin.slug);
      return (problem && this.upgrades.versionBefore(plugin.slug, plugin, problem)) ?? plugin;
    });
    return instead.some((plugin, at) => plugin !== packages[at]) ? orderByDependencies(instead) : order;
  }
}
