import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, logVolume, type CallStatistics, type Fault, type LogVolume } from '../common/index.js';

import { summarize, type CallSummary } from './call-summary.js';
import type { InstalledPlugin } from './entities/index.js';
import { PluginError } from './errors.js';
import { InstalledPlugins } from './installed-plugins.js';
import type { PluginPackage } from './package/manifest.js';
import { PluginFolders } from './package/plugin-folders.js';
import { PluginReconciler } from './plugin-reconciler.js';
import { PluginUpgrades } from './plugin-upgrades.js';

/** State of a plugin in this process. */
export type PluginStatus = 'available' | 'broken' | 'installed' | 'starting' | 'active' | 'failed' | 'waiting' | 'quarantined' | 'gone';

/** A plugin as shown in the list. */
export interface PluginListing {
  readonly slug: string;
  /** Package in its folder. */
  readonly package: PluginPackage | null;
  /** Running package; null if it does not run. */
  readonly running: PluginPackage | null;
  /** Whether the folder's files differ from the running ones. */
  readonly replaced: boolean;
  readonly row: InstalledPlugin | null;
  readonly status: PluginStatus;
  /** Why it does not run, or the last problem with its files. */
  readonly problem: PluginError | null;
  readonly fault: Fault | null;
  readonly calls: CallSummary;
  /** Log volume by and about it since the process started. */
  readonly log: LogVolume;
}

/** Lists plugins with their state. */
@Injectable()
export class PluginListings {
  constructor(
    private readonly installed: InstalledPlugins,
    private readonly folders: PluginFolders,
    private readonly running: PluginReconciler,
    private readonly upgrades: PluginUpgrades,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
  ) {}

  /** Returns all plugins with a folder or a row, sorted by slug. */
  async all(): Promise<PluginListing[]> {
    const rows = new Map((await this.installed.all()).map((row) => [row.slug, row]));
    const listings = this.folders.discover().map((found): PluginListing => {
      const row = rows.get(found.slug) ?? null;
      rows.delete(found.slug);
      const broken = 'problem' in found;
      const running = this.running.activePackage(found.slug) ?? null;
      const replaced = running !== null && (broken || this.upgrades.isReplaced(found.package));
      return {
        slug: found.slug,
        package: broken ? null : found.package,
        running,
        replaced,
        row,
        status: broken && !row ? 'broken' : this.statusOf(found.slug, row),
        problem: broken
          ? found.problem
          : (this.running.failures.get(found.slug) ?? (replaced ? this.upgrades.setBackOf(found.slug) : null)),
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

  /** Returns the calls into a plugin by callback, most total time first. */
  callsOf(slug: string): CallStatistics[] {
    return this.calls.statistics(slug);
  }

  /** Returns the calls into all plugins running in this process. */
  callsOfRunning(): { readonly slug: string; readonly places: readonly CallStatistics[] }[] {
    return this.running.activeSlugs.map((slug) => ({ slug, places: this.callsOf(slug) }));
  }

  private statusOf(slug: string, row: InstalledPlugin | null): PluginStatus {
    if (this.running.isActive(slug)) return 'active';
    if (!row) return 'available';
    if (!row.enabled) return 'installed';
    if (this.running.isWanted(slug)) return 'starting';
    const problem = this.running.failures.get(slug);
    if (problem?.code === 'QUARANTINED') return 'quarantined';
    if (problem?.code === 'SAFE_MODE') return 'waiting';
    return problem?.code === 'DEPENDENCY_NOT_ENABLED' || problem?.code === 'DEPENDENCY_VERSION' ? 'waiting' : 'failed';
  }
}
