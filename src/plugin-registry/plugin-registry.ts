import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { loggerFor } from '../common/index.js';
import { Generations } from '../database/index.js';

import { PluginError } from './errors.js';
import { InstalledPlugins, PLUGIN_GENERATION } from './installed-plugins.js';
import { PluginAdmission } from './plugin-admission.js';
import { PluginReconciler } from './plugin-reconciler.js';
import { PluginStrikes } from './plugin-strikes.js';
import { PluginTraces } from './plugin-traces.js';

const log = loggerFor('plugins');

/** Installs and enables plugins: the state is stored in the database and followed by every process. */
@Injectable()
export class PluginRegistry implements BeforeApplicationShutdown {
  constructor(
    private readonly installed: InstalledPlugins,
    private readonly generations: Generations,
    private readonly admission: PluginAdmission,
    private readonly running: PluginReconciler,
    private readonly traces: PluginTraces,
    private readonly strikes: PluginStrikes,
  ) {}

  /**
   * Starts the enabled plugins, and follows changes by other processes. Slow starts continue in the background, so that one hanging plugin
   * does not block the panel; see {@link PluginReconciler.startingSlugs}.
   */
  async start(): Promise<void> {
    await this.running.recover();
    await this.strikes.count(
      (slug) => this.running.isWanted(slug),
      () => this.running.exclusively(() => this.follow()),
    );
    if (this.running.safeMode) log.warn('safe mode: the panel runs without plugins');
    await this.generations.follow(PLUGIN_GENERATION, () => this.running.exchanging(() => this.running.reconcile()));
    await this.running.exclusively(() => this.running.reconcile());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running.stopAll();
  }

  /**
   * Stores a plugin as installed, or updates its name and version.
   *
   * @throws PluginError for a bad slug or package, or a dependency that is not installed
   */
  install(slug: string): Promise<void> {
    return this.running.exclusively(async () => {
      const plugin = await this.admission.read(slug);
      await this.admission.toInstall(plugin);
      await this.installed.save(plugin, {});
    });
  }

  /**
   * Starts a plugin here, then in every process. A running plugin is restarted. If it does not start, the stored state is unchanged, and a
   * plugin that ran before continues with its previous files.
   *
   * @throws PluginError for any obstacle, including ACTIVATION_FAILED and UPGRADE_FAILED
   */
  enable(slug: string): Promise<void> {
    return this.running.exchanging(async () => {
      if (this.running.safeMode) throw new PluginError('SAFE_MODE');
      const plugin = await this.admission.read(slug);
      await this.strikes.forgive(slug);
      // A dependency may have been enabled by another process a moment ago.
      if (await this.generations.isBehind(PLUGIN_GENERATION)) await this.follow();
      await this.admission.toEnable(plugin);
      this.strikes.clear(slug);
      await this.running.activate(plugin);
      this.running.runsFor(slug, await this.installed.save(plugin, { enabled: true }));
      await this.follow();
    });
  }

  /**
   * Stops an installed plugin here while `work` changes its files or tables, and then restarts it if it was enabled. Other processes
   * follow.
   *
   * @throws PluginError for a problem with the new files
   */
  exchange(slug: string, work: () => Promise<void>): Promise<void> {
    return this.running.exchanging(async () => {
      const { enabled } = await this.installed.get(slug);
      await this.running.stop(slug);
      try {
        await work();
        const plugin = await this.admission.read(slug);
        if (enabled) await this.running.activate(plugin);
        const updatedAt = await this.installed.save(plugin, {});
        if (enabled) this.running.runsFor(slug, updatedAt);
      } finally {
        await this.follow();
      }
    });
  }

  /** Stops a plugin everywhere. Plugins that need it stop as well and start again with it; their slugs are returned. */
  disable(slug: string): Promise<string[]> {
    return this.running.exclusively(async () => {
      const row = await this.installed.get(slug);
      const before = new Set(this.running.activeSlugs);
      await this.installed.disable(row);
      await this.traces.rest(row.slug);
      await this.follow();
      return [...before].filter((other) => other !== row.slug && !this.running.isActive(other));
    });
  }

  /**
   * Removes a plugin. Files placed by hand stay; those installed from a package are deleted.
   *
   * @param keepData keeps its tables and options for a later installation
   * @returns whether its files were deleted
   * @throws PluginError STILL_NEEDED while an enabled plugin needs it, NOT_INSTALLED
   */
  uninstall(slug: string, keepData: boolean): Promise<boolean> {
    return this.running.exclusively(async () => {
      const row = await this.installed.get(slug);
      await this.admission.toUninstall(row.slug);
      await this.running.stop(row.slug);
      await this.traces.forget(row, keepData);
      const isGone = await this.running.forget(row.slug);
      await this.follow();
      return isGone;
    });
  }

  /** Marks the current generation as seen before reading the rows, so that no change in between is missed. */
  private async follow(): Promise<void> {
    await this.generations.catchUp(PLUGIN_GENERATION);
    await this.running.reconcile();
  }
}
