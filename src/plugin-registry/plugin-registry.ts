import { AsyncResource } from 'node:async_hooks';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import {
  Faults,
  PluginCalls,
  legacyTime,
  loggerFor,
  logVolume,
  settleWithin,
  unpackWords,
  type CallStatistics,
  type Fault,
  type LogVolume,
  type Strike,
} from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Generations } from '../database/index.js';
import { DurableListeners } from '../hooks/index.js';

import type { InstalledPlugin } from './entities/index.js';
import { PluginError } from './errors.js';
import { summarize, type CallSummary } from './call-summary.js';
import { InstalledPlugins, PLUGIN_GENERATION } from './installed-plugins.js';
import { dependencyCycle, orderByDependencies } from './package/dependency-order.js';
import type { PluginPackage } from './package/manifest.js';
import { PluginFolders } from './package/plugin-folders.js';
import { PluginOptions } from './plugin-options.js';
import { PluginTables } from './tables/plugin-tables.js';
import { PluginUpgrades } from './plugin-upgrades.js';
import { Quarantine } from './quarantine.js';
import { activationProblem } from './runtime/activation-problem.js';
import { CrashMarks } from './runtime/crash-marks.js';
import { PluginRuntime } from './runtime/plugin-runtime.js';
import { RuntimeLimits } from './runtime/runtime-limits.js';

const log = loggerFor('plugins');

/** Milliseconds for calls under way where everything stops. */
const HASTY_DRAIN_MS = 500;

/** How a plugin stands in this process. */
export type PluginStatus = 'available' | 'broken' | 'installed' | 'starting' | 'active' | 'failed' | 'waiting' | 'quarantined' | 'gone';

/** A plugin as the list shows it. */
export interface PluginListing {
  readonly slug: string;
  /** What lies in its folder. */
  readonly package: PluginPackage | null;
  /** What runs; null: it does not. */
  readonly running: PluginPackage | null;
  /** Whether the folder holds other files than those that run. */
  readonly replaced: boolean;
  readonly row: InstalledPlugin | null;
  readonly status: PluginStatus;
  /** Why it does not run, or what went wrong in it last. */
  readonly problem: PluginError | null;
  readonly fault: Fault | null;
  readonly calls: CallSummary;
  /** What was logged by it and about it since the process started. */
  readonly log: LogVolume;
}

/** What is installed, what is wanted, and what runs: one answer in the database, followed by every process. */
@Injectable()
export class PluginRegistry implements BeforeApplicationShutdown {
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
    private readonly generations: Generations,
    private readonly folders: PluginFolders,
    private readonly runtime: PluginRuntime,
    private readonly upgrades: PluginUpgrades,
    private readonly listeners: DurableListeners,
    private readonly options: PluginOptions,
    private readonly tables: PluginTables,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly quarantine: Quarantine,
    private readonly marks: CrashMarks,
    private readonly limits: RuntimeLimits,
    private readonly config: AppConfig,
  ) {
    this.inSafeMode = config.safeMode;
  }

  /**
   * Starts what is enabled, and follows what other processes change from now on. What takes long goes on in the background, so
   * that one plugin that hangs does not keep the panel closed; {@link startingSlugs} names it.
   */
  async start(): Promise<void> {
    // Bound here: a strike comes from inside the plugin's code, whose request and transaction are none of ours.
    this.faults.onStrike = AsyncResource.bind(
      (strike: Strike) =>
        void this.struck(strike).catch((error: unknown) =>
          log.error({ err: error, plugin: strike.owner }, 'a strike could not be written down'),
        ),
    );
    for (const { slug, kind, place, error } of this.marks.takeLeft()) {
      log.error({ plugin: slug, place, reason: error.message }, 'the process ended in a plugin');
      this.faults.note(slug, place, error);
      await this.quarantine.strike(slug, kind, place, error);
    }
    if (this.inSafeMode) log.warn('safe mode: the panel runs without plugins');
    await this.generations.follow(PLUGIN_GENERATION, () => this.exclusively(() => this.reconcile()));
    await this.exclusively(() => this.reconcile());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.exclusively(async () => {
      for (const slug of [...this.starting.keys(), ...this.runtime.slugs.reverse()]) await this.stop(slug, HASTY_DRAIN_MS);
    });
  }

  /** Whether this process runs without plugins. */
  get safeMode(): boolean {
    return this.inSafeMode;
  }

  /** Plugins whose start goes on in the background. */
  get startingSlugs(): string[] {
    return [...this.starting.keys()];
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

  /** Every plugin there is a folder or a row of, sorted by slug. */
  async list(): Promise<PluginListing[]> {
    const rows = new Map((await this.installed.all()).map((row) => [row.slug, row]));
    const listings = this.folders.discover().map((found): PluginListing => {
      const row = rows.get(found.slug) ?? null;
      rows.delete(found.slug);
      const broken = 'problem' in found;
      const running = this.runtime.packageOf(found.slug) ?? null;
      const replaced = running !== null && (broken || this.upgrades.isReplaced(found.package));
      return {
        slug: found.slug,
        package: broken ? null : found.package,
        running,
        replaced,
        row,
        status: broken && !row ? 'broken' : this.statusOf(found.slug, row),
        problem: broken ? found.problem : (this.problems.get(found.slug) ?? (replaced ? this.upgrades.setBackOf(found.slug) : null)),
        fault: this.faults.last(found.slug) ?? null,
        calls: summarize(this.calls.statistics(found.slug)),
        log: logVolume(found.slug),
      };
    });
    const gone = [...rows.values()].map((row): PluginListing => ({
      slug: row.slug,
      package: null,
      running: null,
      replaced: false,
      row,
      status: 'gone',
      problem: new PluginError('FILES_GONE'),
      fault: null,
      calls: summarize([]),
      log: logVolume(row.slug),
    }));
    return [...listings, ...gone].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** Those that run in this process. */
  get activeSlugs(): string[] {
    return [...this.runtime.slugs];
  }

  /** Calls into a plugin by their places, most time first. */
  callsOf(slug: string): CallStatistics[] {
    return this.calls.statistics(slug);
  }

  /** Whether the plugin runs in this process. */
  isActive(slug: string): boolean {
    return this.runtime.packageOf(slug) !== undefined;
  }

  /** The package of a plugin that runs in this process. */
  activePackage(slug: string): PluginPackage | undefined {
    return this.runtime.packageOf(slug);
  }

  /** Enabled plugins that do not run here, with the reason. */
  get failures(): ReadonlyMap<string, PluginError> {
    return this.problems;
  }

  /**
   * Writes a plugin down as installed, or refreshes its name and version.
   *
   * @throws PluginError for a bad slug or package, or a dependency that is not installed
   */
  install(slug: string): Promise<void> {
    return this.exclusively(async () => {
      const plugin = this.folders.read(slug);
      await this.installed.checkSpelling(slug);
      this.checkCycle(plugin);
      const installed = new Set((await this.installed.all()).map((row) => row.slug));
      const missing = [...plugin.dependencies.keys()].filter((dependency) => !installed.has(dependency));
      if (missing.length) throw new PluginError('DEPENDENCY_NOT_INSTALLED', { slugs: missing.join(', ') });
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
    return this.exclusively(async () => {
      if (this.inSafeMode) throw new PluginError('SAFE_MODE');
      const plugin = this.folders.read(slug);
      await this.installed.checkSpelling(slug);
      await this.quarantine.clear(slug);
      // What it needs may have been enabled by another process a moment ago.
      if (await this.generations.isBehind(PLUGIN_GENERATION)) await this.follow();
      await this.checkDependencies(plugin);
      this.faults.clear(slug);
      await this.activate(plugin);
      const updatedAt = await this.installed.save(plugin, { enabled: true });
      this.startedFor.set(slug, updatedAt.getTime());
      await this.follow();
    });
  }

  /** Stops a plugin everywhere. Plugins that need it stop too and come back with it; their slugs are the answer. */
  disable(slug: string): Promise<string[]> {
    return this.exclusively(async () => {
      const row = await this.installed.get(slug);
      const before = new Set(this.runtime.slugs);
      await this.installed.disable(row);
      await this.listeners.deactivate(row.slug);
      await this.follow();
      return [...before].filter((other) => other !== row.slug && !this.isActive(other));
    });
  }

  /**
   * Forgets a plugin; its files stay.
   *
   * @param keepData whether its tables and options stay for a later installation
   * @throws PluginError STILL_NEEDED while an enabled plugin needs it, NOT_INSTALLED
   */
  uninstall(slug: string, keepData: boolean): Promise<void> {
    return this.exclusively(async () => {
      const row = await this.installed.get(slug);
      const dependents = (await this.installed.all())
        .filter((other) => other.enabled && other.slug !== row.slug && this.dependencySlugs(other.slug).includes(row.slug))
        .map((other) => other.slug);
      if (dependents.length) throw new PluginError('STILL_NEEDED', { slugs: dependents.join(', ') });
      await this.stop(row.slug);
      await this.installed.remove(row, async () => {
        if (!keepData) await this.options.clear(row.slug);
      });
      await this.listeners.forget(row.slug);
      if (!keepData) await this.tables.drop(row.slug);
      this.faults.clear(row.slug);
      this.calls.forget(row.slug);
      await this.upgrades.forget(row.slug);
      await this.follow();
    });
  }

  /** Takes the present generation as seen and only then does what the rows say: a change that comes in between is not lost. */
  private async follow(): Promise<void> {
    await this.generations.catchUp(PLUGIN_GENERATION);
    await this.reconcile();
  }

  /** Makes this process run what the database wants: one step at a time, every plugin's failure its own. */
  private async reconcile(): Promise<void> {
    const rows = (await this.installed.all()).filter((row) => row.enabled);
    const problems = new Map<string, PluginError>();
    for (const row of rows) {
      if (this.inSafeMode) problems.set(row.slug, new PluginError('SAFE_MODE'));
      else if (row.quarantinedAt)
        problems.set(
          row.slug,
          new PluginError('QUARANTINED', {
            at: legacyTime(row.quarantinedAt, this.config.timezone),
            reason: unpackWords(row.quarantineReason),
          }),
        );
    }
    const wanted = rows.filter((row) => !problems.has(row.slug));
    const packages: PluginPackage[] = [];
    for (const row of wanted) {
      try {
        packages.push(this.wantedOf(row));
      } catch (error) {
        problems.set(row.slug, activationProblem(error));
      }
    }
    const { ordered, blocked } = this.order(packages);
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

  /**
   * What is to run for a row: what runs already, until somebody switches over; else what lies in the folder; and where that is
   * no plugin any more, what ran last.
   *
   * @throws PluginError those of {@link PluginFolders.read}
   */
  private wantedOf(row: InstalledPlugin): PluginPackage {
    const running = this.startedFor.get(row.slug) === row.updatedAt.getTime() ? this.runtime.packageOf(row.slug) : undefined;
    try {
      const found = this.folders.read(row.slug);
      return running ?? found;
    } catch (error) {
      const isGone = error instanceof PluginError && error.code === 'PLUGIN_NOT_FOUND';
      const instead = isGone ? null : (running ?? this.upgrades.versionBefore(row.slug, null, error));
      if (instead) return instead;
      throw error;
    }
  }

  /** The order to start in. New files that need what is not there do not switch a plugin off either: the version before takes their place. */
  private order(packages: PluginPackage[]): ReturnType<typeof orderByDependencies<PluginPackage>> {
    const order = orderByDependencies(packages);
    const instead = packages.map((plugin) => {
      const problem =
        this.isActive(plugin.slug) && this.runtime.packageOf(plugin.slug) === plugin ? undefined : order.blocked.get(plugin.slug);
      return (problem && this.upgrades.versionBefore(plugin.slug, plugin, problem)) ?? plugin;
    });
    return instead.some((plugin, at) => plugin !== packages[at]) ? orderByDependencies(instead) : order;
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

  private async struck({ owner, kind, place, error }: Strike): Promise<void> {
    if (!this.isActive(owner) && !this.starting.has(owner)) return;
    if (await this.quarantine.strike(owner, kind, place, error)) await this.exclusively(() => this.follow());
  }

  /** Looked for among all folders: none of the plugins on a cycle could ever be installed before the others. */
  private checkCycle(plugin: PluginPackage): void {
    const cycle = dependencyCycle(plugin.slug, (slug) => (slug === plugin.slug ? plugin.dependencies.keys() : this.dependencySlugs(slug)));
    if (cycle) throw new PluginError('DEPENDENCY_CYCLE', { path: cycle.join(' → ') });
  }

  private async checkDependencies(plugin: PluginPackage): Promise<void> {
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
    const idle = [...plugin.dependencies.keys()].filter((slug) => !this.isActive(slug));
    if (idle.length) throw new PluginError('DEPENDENCY_NOT_ENABLED', { slugs: idle.join(', ') });
  }

  private async activate(plugin: PluginPackage): Promise<void> {
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

  private async stop(slug: string, patience?: number): Promise<void> {
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

  private dependencySlugs(slug: string): string[] {
    try {
      return [...this.folders.read(slug).dependencies.keys()];
    } catch {
      return [];
    }
  }

  private statusOf(slug: string, row: InstalledPlugin | null): PluginStatus {
    if (this.isActive(slug)) return 'active';
    if (!row) return 'available';
    if (!row.enabled) return 'installed';
    if (this.starting.has(slug)) return 'starting';
    const problem = this.problems.get(slug);
    if (problem?.code === 'QUARANTINED') return 'quarantined';
    if (problem?.code === 'SAFE_MODE') return 'waiting';
    return problem?.code === 'DEPENDENCY_NOT_ENABLED' || problem?.code === 'DEPENDENCY_VERSION' ? 'waiting' : 'failed';
  }

  /** One change at a time: activations of two plugins must not interleave. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}
