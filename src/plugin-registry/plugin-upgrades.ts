import { Injectable } from '@nestjs/common';

import { loggerFor, wordsOf } from '../common/index.js';

import { PluginError } from './errors.js';
import { KeptVersions } from './package/kept-versions.js';
import type { PluginPackage } from './package/manifest.js';
import { PackageFolders } from './package/package-folders.js';
import { PluginRuntime } from './plugin-runtime.js';
import { PluginSteps } from './tables/plugin-steps.js';

const log = loggerFor('plugins');

/** Starts plugins, keeps what started well, and knows what to go back to where new files do not start. */
@Injectable()
export class PluginUpgrades {
  /** Fingerprints of the files that run. */
  private readonly prints = new Map<string, string>();
  /** Why a kept version runs. */
  private readonly setBacks = new Map<string, PluginError>();
  /** The same for kept versions that were not started yet. */
  private readonly reasons = new WeakMap<PluginPackage, PluginError>();

  constructor(
    private readonly runtime: PluginRuntime,
    private readonly kept: KeptVersions,
    private readonly folders: PackageFolders,
    private readonly steps: PluginSteps,
  ) {}

  /** Starts this one version and keeps its files. @throws PluginError those of {@link PluginRuntime.activate} */
  async start(plugin: PluginPackage): Promise<void> {
    const print = this.kept.fingerprintOf(plugin);
    await this.runtime.activate(plugin);
    this.prints.set(plugin.slug, print);
    const reason = this.reasons.get(plugin);
    if (reason) {
      this.setBacks.set(plugin.slug, reason);
      log.error(
        { plugin: plugin.slug, version: plugin.version, reason: reason.message },
        'new files of a plugin do not start: the version before runs',
      );
    } else this.setBacks.delete(plugin.slug);
    await this.kept.keep(plugin, print);
  }

  /**
   * The version that ran before; null where there is none, where it is the one that failed, or where the plugin was stopped on purpose.
   *
   * @param failed the version that does not start; null when not even its manifest can be read
   * @param problem why it does not start
   */
  versionBefore(slug: string, failed: PluginPackage | null, problem: unknown): PluginPackage | null {
    if (PluginRuntime.wasGivenUp(problem)) return null;
    const kept = this.kept.read(slug);
    if (!kept || (failed && this.kept.fingerprintOf(failed) === this.kept.fingerprintOf(kept))) return null;
    if (failed) this.reasons.set(kept, setBackOf(failed.version, kept.version, problem));
    return kept;
  }

  /** What went wrong with the files in the folder, while the version before runs. */
  setBackOf(slug: string): PluginError | null {
    return this.setBacks.get(slug) ?? null;
  }

  /** Whether the folder holds other files than those that run. @param found what lies there now */
  isReplaced(found: PluginPackage): boolean {
    const print = this.prints.get(found.slug);
    return print !== undefined && print !== this.kept.fingerprintOf(found);
  }

  /** The plugin was stopped. */
  stopped(slug: string): void {
    this.prints.delete(slug);
    this.setBacks.delete(slug);
  }

  /** The plugin was uninstalled: files that came as a package go, those somebody put there stay. @returns whether they went */
  async forget(slug: string): Promise<boolean> {
    await this.kept.forget(slug);
    this.steps.forget(slug);
    return this.folders.remove(slug);
  }

  /** Ends exchanges of files a process left in the middle; before anything starts. */
  recover(): Promise<void> {
    return this.folders.recover();
  }
}

function setBackOf(version: string, before: string, problem: unknown): PluginError {
  const startReason = problem instanceof PluginError && problem.code === 'ACTIVATION_FAILED' ? problem.params.reason : undefined;
  const reason = startReason ?? wordsOf(problem);
  return new PluginError('UPGRADE_FAILED', { version, before, reason }, undefined, { cause: problem });
}
