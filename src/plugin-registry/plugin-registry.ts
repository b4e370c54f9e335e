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

/** What is installed and what is wanted: one answer in the database, followed by every process. */
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
   * Starts what is enabled, and follows what other processes change from now on. What takes long goes on in the background, so
   * that one plugin that hangs does not keep the panel closed; {@link PluginReconciler.startingSlugs} names it.
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
   * Writes a plugin down as installed, or refreshes its name and version.
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
   * Starts a plugin here, then tells every process. A plugin that runs already is started anew. If it does not start,
   * what is wanted stays as it was, and one that ran before goes on with the files it ran with.
   *
   * @throws PluginError for everything that can stand in the way, ACTIVATION_FAILED and UPGRADE_FAILED among it
   */
  enable(slug: string): Promise<void> {
    return this.running.exchanging(async () => {
      if (this.running.safeMode) throw new PluginError('SAFE_MODE');
      const plugin = await this.admission.read(slug);
      await this.strikes.forgive(slug);
      // What it needs may have been enabled by another process a moment ago.
      if (await this.generations.isBehind(PLUGIN_GENERATION)) await this.follow();
      await this.admission.toEnable(plugin);
      this.strikes.clear(slug);
      await this.running.activate(plugin);
      this.running.runsFor(slug, await this.installed.save(plugin, { enabled: true }));
      await this.follow();
    });
  }

  /**
   * Stops an installed plugin here while `work` changes its files or tables, and starts what lies there then, if it was wanted. Other
   * processes follow.
   *
   * @throws PluginError for what lies there then
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

  /** Stops a plugin everywhere. Plugins that need it stop too and come back with it; their slugs are the answer. */
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
   * Forgets a plugin. Files somebody put there stay; those that came as a package go.
   *
   * @param keepData whether its tables and options stay for a later installation
   * @returns whether its files are gone
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

  /** Takes the present generation as seen and only then does what the rows say: a change that comes in between is not lost. */
  private async follow(): Promise<void> {
    await this.generations.catchUp(PLUGIN_GENERATION);
    await this.running.reconcile();
  }
}
