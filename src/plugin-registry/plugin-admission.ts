import { Injectable } from '@nestjs/common';

import { PluginError } from './errors.js';
import { InstalledPlugins } from './installed-plugins.js';
import { dependencyCycle, orderByDependencies } from './package/dependency-order.js';
import type { PluginPackage } from './package/manifest.js';
import { PluginFolders } from './package/plugin-folders.js';
import { PluginRuntime } from './plugin-runtime.js';

/** Checks the preconditions for installing, enabling or removing a plugin. */
@Injectable()
export class PluginAdmission {
  constructor(
    private readonly installed: InstalledPlugins,
    private readonly folders: PluginFolders,
    private readonly runtime: PluginRuntime,
  ) {}

  /**
   * Reads the files of a plugin. @throws PluginError for a bad slug or package, and a slug that differs from an installed one only in case
   */
  async read(slug: string): Promise<PluginPackage> {
    const plugin = this.folders.read(slug);
    await this.installed.checkSpelling(slug);
    return plugin;
  }

  /** @throws PluginError DEPENDENCY_CYCLE, DEPENDENCY_NOT_INSTALLED */
  async toInstall(plugin: PluginPackage): Promise<void> {
    this.checkCycle(plugin);
    const installed = new Set((await this.installed.all()).map((row) => row.slug));
    const missing = [...plugin.dependencies.keys()].filter((dependency) => !installed.has(dependency));
    if (missing.length) throw new PluginError('DEPENDENCY_NOT_INSTALLED', { slugs: missing.join(', ') });
  }

  /** @throws PluginError DEPENDENCY_CYCLE, and the problems of its dependencies */
  async toEnable(plugin: PluginPackage): Promise<void> {
    this.checkCycle(plugin);
    const others = (await this.installed.all()).filter((row) => row.enabled && row.slug !== plugin.slug);
    const packages = others.flatMap((row) => {
      try {
        return [this.runtime.packageOf(row.slug) ?? this.folders.read(row.slug)];
      } catch {
        return [];
      }
    });
    const { blocked } = orderByDependencies([...packages, plugin]);
    const problem = blocked.get(plugin.slug);
    if (problem) throw problem;
    const idle = [...plugin.dependencies.keys()].filter((slug) => !this.runtime.packageOf(slug));
    if (idle.length) throw new PluginError('DEPENDENCY_NOT_ENABLED', { slugs: idle.join(', ') });
  }

  /** @throws PluginError STILL_NEEDED while an enabled plugin needs it */
  async toUninstall(slug: string): Promise<void> {
    const dependents = (await this.installed.all())
      .filter((other) => other.enabled && other.slug !== slug && this.dependencySlugs(other.slug).includes(slug))
      .map((other) => other.slug);
    if (dependents.length) throw new PluginError('STILL_NEEDED', { slugs: dependents.join(', ') });
  }

  /** Checked across all folders: none of the plugins on a cycle could ever be installed first. */
  private checkCycle(plugin: PluginPackage): void {
    const cycle = dependencyCycle(plugin.slug, (slug) => (slug === plugin.slug ? plugin.dependencies.keys() : this.dependencySlugs(slug)));
    if (cycle) throw new PluginError('DEPENDENCY_CYCLE', { path: cycle.join(' → ') });
  }

  private dependencySlugs(slug: string): string[] {
    try {
      return [...this.folders.read(slug).dependencies.keys()];
    } catch {
      return [];
    }
  }
}
