import { Injectable } from '@nestjs/common';

import { loggerFor, settleWithin, timeInSentence, unpackWords } from '../common/index.js';
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

/** Milliseconds for calls under way where everything stops. */
const HASTY_DRAIN_MS = 500;

/** Makes this process run the plugins the database wants. Whoever changes something does so within {@link exclusively}. */
@Injectable()
export class PluginReconciler {
  /** Why an enabled plugin does not run here. */
  private readonly problems = new Map<string, PluginError>();
  /** `updated_at` of the row a running plugin was started for: a newer one means start it anew. */
  private readonly startedFor = new Map<string, number>();
  /** Starts that go on in the background, because they take long. */
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

  /** Plugins whose start goes on in the background. */
  get startingSlugs(): string[] {
    return [...this.starting.keys()];
  }

  /** Those that run in this process. */
  get activeSlugs(): string[] {
    return [...this.runtime.slugs];
  }

  /** Their packages. */
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

  /** The package of a plugin that runs in this process. */
  activePackage(slug: string): PluginPackage | undefined {
    return this.runtime.packageOf(slug);
  }

  /** Whether it runs, or is about to. */
  isWanted(slug: string): boolean {
    return this.isActive(slug) || this.starting.has(slug);
  }

  /** Stops every plugin of this process, at once: it does not wait for changes under way, which may be what hangs. */
  async enterSafeMode(): Promise<void> {
    this.inSafeMode = true;
    log.warn('safe mode: every plugin of this process is stopped');
    await Promise.all([...this.runtime.startingSlugs, ...this.runtime.slugs].map((slug) => this.stop(slug, HASTY_DRAIN_MS)));
    await this.exclusively(() => this.reconcile());
  }

  /** Starts what is enabled. */
  async leaveSafeMode(): Promise<void> {
    this.inSafeMode = false;
    await this.exclusively(() => this.reconcile());
  }

  /** Stops all for the end of the process. */
  stopAll(): Promise<void> {
    return this.exclusively(async () => {
      for (const slug of [...this.starting.keys(), ...this.runtime.slugs.reverse()]) await this.stop(slug, HASTY_DRAIN_MS);
    });
  }

  /** One change at a time: activations of two plugins must not interleave. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** The same, for changes after which plugins that stopped are there again: requests for them wait. */
  exchanging<T>(work: () => Promise<T>): Promise<T> {
    return this.exclusively(() => this.runtime.change(work));
  }

  /** Makes this process run what the database wants: one step at a time, every plugin's failure its own. */
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
    // What starts now starts with what lies in its folder, which may be another version that needs other plugins.
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
      if (!(await settleWithin(start, patience))) {
        this.letStart(plugin.slug, start);
        continue;
      }
      const problem = await start;
      if (problem) problems.set(plugin.slug, problem);
    }
    const isSetBack = ordered.some(
      (plugin) => !problems.has(plugin.slug) && this.isActive(plugin.slug) && this.runtime.packageOf(plugin.slug) !== plugin,
    );
    // One that went back may suit plugins its new version does not, and the other way round.
    if (isSetBack) return this.reconcile();
    this.problems.clear();
    for (const [slug, problem] of problems) {
      this.problems.set(slug, problem);
      log.warn({ plugin: slug, code: problem.code, reason: problem.message }, 'an enabled plugin does not run');
    }
  }

  /**
   * Starts a plugin, or starts it anew. One that ran before and does not start goes on with the files it ran with.
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

  /** Notes for which state of its row a plugin runs. */
  runsFor(slug: string, updatedAt: Date): void {
    this.startedFor.set(slug, updatedAt.getTime());
  }

  /** Ends exchanges of files a process left in the middle; before anything starts. */
  recover(): Promise<void> {
    return this.upgrades.recover();
  }

  /** Forgets a plugin that was removed. @returns whether its files went with it */
  forget(slug: string): Promise<boolean> {
    return this.upgrades.forget(slug);
  }

  /** Stops one here. @param patience milliseconds for calls under way */
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

  /** Why a plugin is kept from running though its row wants it to. */
  private heldBack({ quarantinedAt, quarantineReason }: InstalledPlugin): PluginError | null {
    if (this.inSafeMode) return new PluginError('SAFE_MODE');
    if (!quarantinedAt) return null;
    const at = timeInSentence(quarantinedAt, this.config.timezone);
    return new PluginError('QUARANTINED', { at, reason: unpackWords(quarantineReason) });
  }

  /** Starts a plugin for its row; why it does not run, if it does not. */
  private async startWanted(plugin: PluginPackage, revision: number): Promise<PluginError | null> {
    try {
      await this.upgrades.start(plugin);
      this.startedFor.set(plugin.slug, revision);
      return null;
    } catch (error) {
      return (await this.goBack(plugin, error, revision)) ? null : (error as PluginError);
    }
  }

  /** Starts the version that ran before in place of one that failed. @returns whether it runs */
  private async goBack(failed: PluginPackage, error: unknown, revision: number): Promise<boolean> {
    const before = this.inSafeMode ? null : this.upgrades.versionBefore(failed.slug, failed, error);
    if (!before) return false;
    try {
      await this.upgrades.start(before);
    } catch (second) {
      log.error(
        { err: second, plugin: before.slug, version: before.version },
        'the version of a plugin that ran before does not start any more',
      );
      return false;
    }
    this.startedFor.set(before.slug, revision);
    return true;
  }

  /** Lets a start go on in the background; what waits for the plugin starts after it. */
  private letStart(slug: string, start: Promise<PluginError | null>): void {
    log.warn({ plugin: slug }, 'a plugin takes long to start; the panel goes on without it meanwhile');
    this.starting.set(slug, start);
    const ended = async (): Promise<void> => {
      const problem = await start;
      // Stopped meanwhile, or started anew.
      if (this.starting.get(slug) !== start) return;
      this.starting.delete(slug);
      if (problem) this.problems.set(slug, problem);
      else await this.exclusively(() => this.reconcile());
    };
    void ended().catch((error: unknown) => log.error({ err: error, plugin: slug }, 'the end of a start could not be followed'));
  }
}
