import { Injectable } from '@nestjs/common';

import { loggerFor, wordsOf } from '../common/index.js';
import {
  InstalledPlugins,
  originOf,
  PackageFolders,
  PluginRegistry,
  PluginSteps,
  versionIn,
  versionsBefore,
  type InstalledPlugin,
} from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';
import { unpack, type CheckedPackage } from './package-check.js';
import { PluginHealth } from './plugin-health.js';

const log = loggerFor('plugins');

/** Origin of a package. */
export interface PackageSource {
  /** Name of the store; empty for an upload. */
  readonly store: string;
  /** Id of the order that installs it. */
  readonly order: string;
}

/**
 * Replaces the files of plugins, starts them, and rolls back automatically on failure: a plugin ends up either unchanged or in the new
 * version and healthy.
 */
@Injectable()
export class PackageExchange {
  constructor(
    private readonly folders: PackageFolders,
    private readonly registry: PluginRegistry,
    private readonly installed: InstalledPlugins,
    private readonly steps: PluginSteps,
    private readonly health: PluginHealth,
  ) {}

  /** Returns the row of a plugin; null if it is not installed. */
  async rowOf(slug: string): Promise<InstalledPlugin | null> {
    return (await this.installed.all()).find((row) => row.slug.toLowerCase() === slug.toLowerCase()) ?? null;
  }

  /**
   * Installs a package or replaces another version.
   *
   * @throws PluginStoreError NOT_STARTED, ROLLED_BACK: everything is as before
   */
  put(checked: CheckedPackage, source: PackageSource): Promise<void> {
    const { slug, version, sha256, permissions, author } = checked;
    return this.folders.exclusively(async () => {
      await this.installed.checkSpelling(slug);
      const isLeft = originOf(this.folders.folderOf(slug))?.sha256 === sha256 && this.folders.isUnproven(slug);
      // If a process ended after placing the files but before the start, continue from there.
      if (isLeft) await this.folders.claim(slug, source.order);
      else {
        await unpack(checked, await this.folders.incoming(slug));
        const stepsBefore = await this.steps.applied(slug);
        const authorKey = author?.publicKey ?? '';
        await this.folders.exchange(slug, { ...source, version, sha256, permissions, stepsBefore, authorKey });
      }
      await this.start(slug, version);
    });
  }

  /** Rolls back to the previous version. @param version that version @throws PluginStoreError NOTHING_BEFORE, NOT_INSTALLED */
  back(slug: string, version: string): Promise<void> {
    return this.folders.exclusively(async () => {
      const isRestored = versionIn(this.folders.folderOf(slug), slug) === version;
      // A process may have ended after replacing the files but before the start.
      if (isRestored) return this.registry.exchange(slug, () => Promise.resolve());
      await this.before(slug);
      await this.goBack(slug);
    });
  }

  /** Returns the version a rollback would restore. @throws PluginStoreError NOTHING_BEFORE, NOT_INSTALLED */
  async before(slug: string): Promise<string> {
    if (!(await this.rowOf(slug))) throw new PluginStoreError('NOT_INSTALLED', { slug });
    const [before] = versionsBefore(this.folders.folderOf(slug), slug);
    if (!before) throw new PluginStoreError('NOTHING_BEFORE', { slug });
    return before.version;
  }

  private async start(slug: string, version: string): Promise<void> {
    const row = await this.rowOf(slug);
    const isOn = row === null || row.enabled;
    try {
      if (isOn) await this.registry.enable(slug);
      else await this.registry.install(slug);
      if (isOn) await this.health.require(slug);
      await this.folders.prove(slug);
    } catch (error) {
      log.error({ err: error, plugin: slug, version }, 'a plugin does not start with its new files: rolling back');
      const reason = wordsOf(error);
      if (row === null) {
        await this.removeNew(slug);
        throw new PluginStoreError('NOT_STARTED', { slug, version, reason }, undefined, { cause: error });
      }
      await this.goBack(slug);
      throw new PluginStoreError('ROLLED_BACK', { slug, version, before: row.version, reason }, undefined, { cause: error });
    }
  }

  /** Migrations are reverted first, by the version that made them, while it can still use its tables. */
  private async goBack(slug: string): Promise<void> {
    await this.undoSteps(slug);
    await this.registry.exchange(slug, async () => void (await this.folders.goBack(slug)));
  }

  private async removeNew(slug: string): Promise<void> {
    const isWritten = (await this.rowOf(slug)) !== null;
    await this.undoSteps(slug);
    // Restores files placed manually; tables and options of an earlier installation stay.
    await this.folders.goBack(slug);
    if (isWritten) await this.registry.uninstall(slug, true);
  }

  private async undoSteps(slug: string): Promise<void> {
    const origin = originOf(this.folders.folderOf(slug));
    if (!origin) return;
    try {
      await this.steps.back(slug, new Set(origin.stepsBefore));
    } catch (error) {
      log.error({ err: error, plugin: slug }, 'reverting the tables of a plugin failed; copies of them exist');
    }
  }
}
