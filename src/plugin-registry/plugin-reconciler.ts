import { Injectable } from '@nestjs/common';

import { loggerFor, waitAtMost, timeInSentence, unpackWords } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import type { InstalledPlugin } from './entities/index.js';
import { PluginError } from './errors.js';
import { InstalledPlugins } from './installed-plugins.js';
import type { PluginPackage } from './package/manifest.js';
import { PluginUpgrades } from './plugin-upgrades.js';
import { RunnablePackages } from './runnable-packages.js';
import { activationProblem } from './runtime/activation-problem.js';
import { PluginRuntime } from './plugin-runtime.js';
import { RuntimeLimits } from './runtime/runtime-limits.js';

const log = loggerFor('plugins');

/** Time for running calls when all plugins are stopped, in milliseconds. */
const HASTY_DRAIN_MS = 500;

/** Makes this process run the plugins enabled in the database. Changes must be made within {@link exclusively}. */
@Injectable()
export class PluginReconciler {
  /** Why an enabled plugin does not run here. */
  private readonly problems = new Map<string, PluginError>();
  /** `updated_at` of the row a plugin was started for: a newer value means restart. */
  private readonly startedFor = new Map<string, number>();
  /** Slow starts that continue in the background. */
  private readonly starting = new Map<string, Promise<PluginError | null>>();
  private queue: Promise<unknown> = Promise.resolve();
  private inSafeMode: boolean;

  constructor(
    private readonly installed: InstalledPlugins,
    private readonly packages: RunnablePackages,
    private readonly runtime: PluginRuntime,
    private readonly upgrades: PluginUpgrades,
    private readonly limits: RuntimeLimits,
    private readonly config: AppConfig,
  ) {
    this.inSafeMode = config.safeMode;
  }

  /** Whether this process runs without plugins. */
  get safeMode(): boolean {
    return this.inSafeMode;
  }

  /** Plugins still starting in the background. */
  get startingSlugs(): string[] {
    return [...this.starting.keys()];
  }

  /** Slugs of the plugins running in this process. */
  get activeSlugs(): string[] {
    return [...this.runtime.slugs];
  }

  /** Packages of the plugins running in this process. */
  get activePackages(): PluginPackage[] {
    return this.runtime.slugs.map((slug) => this.runtime.packageOf(slug)!);
  }

  /** Enabled plugins that do not run here, with the reason. */
  get failures(): ReadonlyMap<string, PluginError> {
    return this.problems;
  }

  /** Whether the plugin runs in this process. */
  isActive(slug: string): boolean {
    return this.runtime.packageOf(slug) !== undefined;
  }

  /** Returns the package of a plugin running in this process. */
  activePackage(slug: string): PluginPackage | undefined {
    return this.runtime.packageOf(slug);
  }

  /** Whether it runs or is starting. */
  isWanted(slug: string): boolean {
    return this.isActive(slug) || this.starting.has(slug);
  }

  /** Stops every plugin of this process immediately, without waiting for running changes, which may be what hangs. */
  async enterSafeMode(): Promise<void> {
    this.inSafeMode = true;
    log.warn('safe mode: every plugin of this process is stopped');
    await Promise.all([...this.runtime.startingSlugs, ...this.runtime.slugs].map((slug) => this.stop(slug, HASTY_DRAIN_MS)));
    await this.exclusively(() => this.reconcile());
  }

  /** Starts the enabled plugins. */
  async leaveSafeMode(): Promise<void> {
    this.inSafeMode = false;
    await this.exclusively(() => this.reconcile());
  }

  /** Stops all plugins at shutdown. */
  stopAll(): Promise<void> {
    return this.exclusively(async () => {
      for (const slug of [...this.starting.keys(), ...this.runtime.slugs.reverse()]) await this.stop(slug, HASTY_DRAIN_MS);
    });
  }

  /** Runs one change at a time: activations of two plugins must not interleave. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** The same for changes after which stopped plugins run again: requests for them wait. */
  exchanging<T>(work: () => Promise<T>): Promise<T> {
    return this.exclusively(() => this.runtime.change(work));
  }

  /** Brings this process into the state stored in the database, one plugin at a time; a failure affects only its plugin. */
  async reconcile(): Promise<void> {
    const rows = (await this.installed.all()).filter((row) => row.enabled);
    const problems = new Map<string, PluginError>();
    for (const row of rows) {
      const problem = this.heldBack(row);
      if (problem) problems.set(row.slug, problem);
    }
    const wanted = rows.filter((row) => !problems.has(row.slug));
    const packages: PluginPackage[] = [];
    for (const row of wanted) {
      try {
        packages.push(this.packages.of(row, this.startedFor.get(row.slug) === row.updatedAt.getTime()));
      } catch (error) {
        problems.set(row.slug, activationProblem(error));
      }
    }
    const { ordered, blocked } = this.packages.order(packages);
    for (const [slug, problem] of blocked) problems.set(slug, problem);
    const runnable = new Set(ordered.map((plugin) => plugin.slug));
    const revision = new Map(wanted.map((row) => [row.slug, row.updatedAt.getTime()]));

    for (const slug of this.starting.keys()) if (!runnable.has(slug)) await this.stop(slug);
    let isToStartAnew = false;
    for (const slug of this.runtime.slugs.reverse()) {
      const stale = this.startedFor.get(slug) !== revision.get(slug);
      const lostDependency = [...(this.runtime.packageOf(slug)?.dependencies.keys() ?? [])].some(
        (needed) => !this.runtime.packageOf(needed),
      );
      if (!runnable.has(slug)) await this.stop(slug);
      else if (stale || lostDependency) {
        await this.stopWithDependents(slug);
        isToStartAnew = true;
      }
    }
    // A restart uses the files in the folder, which may be another version with other dependencies.
    if (isToStartAnew) return this.reconcile();
    const deadline = performance.now() + this.limits.startTotal;
    for (const plugin of ordered) {
      if (this.inSafeMode) break;
      if (this.isActive(plugin.slug) || this.starting.has(plugin.slug)) continue;
      const failed = [...plugin.dependencies.keys()].filter((slug) => !this.isActive(slug));
      if (failed.length) {
        problems.set(plugin.slug, new PluginError('DEPENDENCY_NOT_ENABLED', { slugs: failed.join(', ') }));
        continue;
      }
      const start = this.startWanted(plugin, revision.get(plugin.slug)!);
      const patience = Math.max(0, Math.min(this.limits.startPatience, deadline - performance.now()));
      if (!(await waitAtMost(start, patience))) {
        this.letStart(plugin.slug, start);
        continue;
      }
      const problem = await start;
      if (problem) problems.set(plugin.slug, problem);
    }
    const isSetBack = ordered.some(
      (plugin) => !problems.has(plugin.slug) && this.isActive(plugin.slug) && this.runtime.packageOf(plugin.slug) !== plugin,
    );
    // The restored version may satisfy other plugins than the new one.
    if (isSetBack) return this.reconcile();
    this.problems.clear();
    for (const [slug, problem] of problems) {
      this.problems.set(slug, problem);
      log.warn({ plugin: slug, code: problem.code, reason: problem.message }, 'an enabled plugin is not running');
    }
  }

  /**
   * Starts or restarts a plugin. If a running plugin fails to restart, its previous files are started again.
   *
   * @throws PluginError ACTIVATION_FAILED, UPGRADE_FAILED
   */
  async activate(plugin: PluginPackage): Promise<void> {
    const ranFor = this.startedFor.get(plugin.slug);
    const ranBefore = this.isActive(plugin.slug);
    if (this.starting.has(plugin.slug)) await this.stop(plugin.slug);
    if (ranBefore) await this.stopWithDependents(plugin.slug);
    try {
      await this.upgrades.start(plugin);
    } catch (error) {
      if (!ranBefore) throw error;
      const isBack = ranFor !== undefined && (await this.goBack(plugin, error, ranFor));
      const setBack = isBack ? this.upgrades.setBackOf(plugin.slug) : null;
      await this.reconcile();
      throw setBack ?? error;
    }
  }

  /** Records the state of the row that a plugin was started for. */
  runsFor(slug: string, updatedAt: Date): void {
    this.startedFor.set(slug, updatedAt.getTime());
  }

  /** Completes file exchanges interrupted by a crash; before any plugin starts. */
  recover(): Promise<void> {
    return this.upgrades.recover();
  }

  /** Cleans up after a removed plugin. @returns whether its files were removed */
  forget(slug: string): Promise<boolean> {
    return this.upgrades.forget(slug);
  }

  /** Stops a plugin in this process. @param patience milliseconds for running calls */
  async stop(slug: string, patience?: number): Promise<void> {
    this.startedFor.delete(slug);
    this.starting.delete(slug);
    this.upgrades.stopped(slug);
    await this.runtime.deactivate(slug, patience);
  }

  private async stopWithDependents(slug: string): Promise<void> {
    for (const other of this.runtime.slugs.reverse()) {
      if (this.runtime.packageOf(other)?.dependencies.has(slug)) await this.stopWithDependents(other);
    }
    await this.stop(slug);
  }

  /** Returns why an enabled plugin must not run. */
  private heldBack({ quarantinedAt, quarantineReason }: InstalledPlugin): PluginError | null {
    if (this.inSafeMode) return new PluginError('SAFE_MODE');
    if (!quarantinedAt) return null;
    const at = timeInSentence(quarantinedAt, this.config.timezone);
    return new PluginError('QUARANTINED', { at, reason: unpackWords(quarantineReason) });
  }

  /** Starts a plugin for its row; returns the problem if it fails. */
  private async startWanted(plugin: PluginPackage, revision: number): Promise<PluginError | null> {
    try {
      await this.upgrades.start(plugin);
      this.startedFor.set(plugin.slug, revision);
      return null;
    } catch (error) {
      return (await this.goBack(plugin, error, revision)) ? null : (error as PluginError);
    }
  }

  /** Starts the previous version instead of one that failed. @returns whether it runs */
  private async goBack(failed: PluginPackage, error: unknown, revision: number): Promise<boolean> {
    const before = this.inSafeMode ? null : this.upgrades.versionBefore(failed.slug, failed, error);
    if (!before) return false;
    try {
      await this.upgrades.start(before);
    } catch (second) {
      log.error({ err: second, plugin: before.slug, version: before.version }, 'the previous version of a plugin no longer starts');
      return false;
    }
    this.startedFor.set(before.slug, revision);
    return true;
  }

  /** Lets a slow start continue in the background; dependent plugins start after it. */
  private letStart(slug: string, start: Promise<PluginError | null>): void {
    log.warn({ plugin: slug }, 'a plugin is slow to start; the panel continues without it meanwhile');
    this.starting.set(slug, start);
    const ended = async (): Promise<void> => {
      const problem = await start;
      // Stopped or restarted meanwhile.
      if (this.starting.get(slug) !== start) return;
      this.starting.delete(slug);
      if (problem) this.problems.set(slug, problem);
      else await this.exclusively(() => this.reconcile());
    };
    void ended().catch((error: unknown) => log.error({ err: error, plugin: slug }, 'following a slow start failed'));
  }
}
