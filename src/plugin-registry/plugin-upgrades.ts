import { Injectable } from '@nestjs/common';

import { loggerFor, wordsOf } from '../common/index.js';

import { PluginError } from './errors.js';
import { KeptVersions } from './package/kept-versions.js';
import type { PluginPackage } from './package/manifest.js';
import { PackageFolders } from './package/package-folders.js';
import { PluginRuntime } from './plugin-runtime.js';
import { PluginSteps } from './tables/plugin-steps.js';

const log = loggerFor('plugins');

/** Starts plugins, backs up versions that started, and provides the previous version when new files fail to start. */
@Injectable()
export class PluginUpgrades {
  /** Fingerprints of the running files. */
  private readonly prints = new Map<string, string>();
  /** Why a backup version runs. */
  private readonly setBacks = new Map<string, PluginError>();
  /** The same for backup versions not started yet. */
  private readonly reasons = new WeakMap<PluginPackage, PluginError>();

  constructor(
    private readonly runtime: PluginRuntime,
    private readonly kept: KeptVersions,
    private readonly folders: PackageFolders,
    private readonly steps: PluginSteps,
  ) {}

  /** Starts this version and backs up its files. @throws PluginError those of {@link PluginRuntime.activate} */
  async start(plugin: PluginPackage): Promise<void> {
    const print = this.kept.fingerprintOf(plugin);
    await this.runtime.activate(plugin);
    this.prints.set(plugin.slug, print);
    const reason = this.reasons.get(plugin);
    if (reason) {
      this.setBacks.set(plugin.slug, reason);
      log.error(
        { plugin: plugin.slug, version: plugin.version, reason: reason.message },
        'new files of a plugin do not start: the previous version runs',
      );
    } else this.setBacks.delete(plugin.slug);
    await this.kept.keep(plugin, print);
  }

  /**
   * Returns the version that ran before; null if there is none, if it is the failed one, or if the plugin was stopped on purpose.
   *
   * @param failed the version that does not start; null if not even its manifest can be read
   * @param problem why it does not start
   */
  versionBefore(slug: string, failed: PluginPackage | null, problem: unknown): PluginPackage | null {
    if (PluginRuntime.wasGivenUp(problem)) return null;
    const kept = this.kept.read(slug);
    if (!kept || (failed && this.kept.fingerprintOf(failed) === this.kept.fingerprintOf(kept))) return null;
    if (failed) this.reasons.set(kept, setBackOf(failed.version, kept.version, problem));
    return kept;
  }

  /** Returns the problem of the folder's files while the previous version runs. */
  setBackOf(slug: string): PluginError | null {
    return this.setBacks.get(slug) ?? null;
  }

  /** Whether the folder's files differ from the running ones. @param found package in the folder */
  isReplaced(found: PluginPackage): boolean {
    const print = this.prints.get(found.slug);
    return print !== undefined && print !== this.kept.fingerprintOf(found);
  }

  /** Called when the plugin was stopped. */
  stopped(slug: string): void {
    this.prints.delete(slug);
    this.setBacks.delete(slug);
  }

  /**
   * Called when the plugin was uninstalled: files from a package are deleted, those placed by hand stay. @returns whether they were deleted
   */
  async forget(slug: string): Promise<boolean> {
    await this.kept.forget(slug);
    this.steps.forget(slug);
    return this.folders.remove(slug);
  }

  /** Completes file exchanges interrupted by a crash; before any plugin starts. */
  recover(): Promise<void> {
    return this.folders.recover();
  }
}

function setBackOf(version: string, before: string, problem: unknown): PluginError {
  const startReason = problem instanceof PluginError && problem.code === 'ACTIVATION_FAILED' ? problem.params.reason : undefined;
  const reason = startReason ?? wordsOf(problem);
  return new PluginError('UPGRADE_FAILED', { version, before, reason }, undefined, { cause: problem });
}
