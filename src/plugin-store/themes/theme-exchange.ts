import { Injectable } from '@nestjs/common';

import { originOf, type PackageOrigin } from '../../plugin-registry/index.js';
import { ThemeChoice, ThemeScriptGrants } from '../../site/index.js';
import { DEFAULT_THEME, ThemeCatalogue } from '../../theme/index.js';
import { PluginStoreError } from '../errors.js';
import { unpack, type CheckedPackage } from '../package-check.js';
import type { PackageSource } from '../package-exchange.js';
import { requireNewer } from '../store-packages.js';
import { ThemeFolders } from './theme-folders.js';

/** Replaces the files of themes, effective in all processes: a theme ends up either unchanged or in the new version. */
@Injectable()
export class ThemeExchange {
  constructor(
    private readonly folders: ThemeFolders,
    private readonly catalogue: ThemeCatalogue,
    private readonly choice: ThemeChoice,
    private readonly scripts: ThemeScriptGrants,
  ) {}

  /** Returns the version of an installed theme; null if it is not installed. */
  versionOf(name: string): string | null {
    return this.catalogue.isInstalled(name) ? (this.catalogue.list().find((theme) => theme.name === name)?.version ?? '0.0.0') : null;
  }

  /** Returns the origin of a theme's files; null if they were placed manually. */
  originOf(name: string): PackageOrigin | null {
    return originOf(this.folders.folderOf(name));
  }

  /**
   * Requires that a version can be installed: not under the name of a bundled theme, and not an older one.
   *
   * @throws PluginStoreError TAKEN, INSTALLED_ALREADY (only for versions from the store), OLDER
   */
  requireNewer(slug: string, version: string, { again }: { readonly again: boolean }): void {
    const others = this.catalogue.list().filter(({ name }) => name.toLowerCase() === slug.toLowerCase());
    if (others.some(({ name }) => name !== slug || !this.catalogue.isInstalled(name))) throw new PluginStoreError('TAKEN', { slug });
    const present = this.versionOf(slug);
    if (present === null) return;
    requireNewer(slug, version, present, { again });
  }

  /** Installs a package or replaces another version. @throws PluginStoreError TAKEN, OLDER, NOT_STARTED, ROLLED_BACK */
  put(checked: CheckedPackage, source: PackageSource): Promise<void> {
    const { slug, version, sha256, author } = checked;
    return this.folders.exclusively(async () => {
      const isLeft = this.originOf(slug)?.sha256 === sha256 && this.folders.isUnproven(slug);
      // If a process ended after placing the files, continue from there.
      if (isLeft) await this.folders.claim(slug, source.order);
      else {
        this.requireNewer(slug, version, { again: true });
        await unpack(checked, await this.folders.incoming(slug));
        const authorKey = author?.publicKey ?? '';
        await this.folders.exchange(slug, { ...source, version, sha256, permissions: [], stepsBefore: [], authorKey });
      }
      await this.choice.reload();
      if (!this.catalogue.package(slug)) await this.giveUp(slug, version);
      await this.folders.prove(slug);
    });
  }

  /**
   * Rolls back to the previous version and revokes the script grants.
   *
   * @param version that version
   * @throws PluginStoreError NOTHING_BEFORE, NOT_INSTALLED
   */
  back(slug: string, version: string): Promise<void> {
    return this.folders.exclusively(async () => {
      await this.scripts.forget(slug);
      // A process may have ended after replacing the files.
      if (this.versionOf(slug) !== version) {
        this.before(slug);
        await this.folders.goBack(slug);
      }
      await this.choice.reload();
    });
  }

  /** Returns the version a rollback would restore. @throws PluginStoreError NOTHING_BEFORE, NOT_INSTALLED */
  before(slug: string): string {
    if (this.versionOf(slug) === null) throw new PluginStoreError('NOT_INSTALLED', { slug });
    const [before] = this.folders.before(slug);
    if (!before) throw new PluginStoreError('NOTHING_BEFORE', { slug });
    return before.version;
  }

  /** Resets all sides that use the theme to the default theme and revokes its script grants. @returns whether any side used it */
  async switchOff(name: string): Promise<boolean> {
    await this.scripts.forget(name);
    const sides = this.choice.sidesOf(name).filter((side) => side !== 'pay');
    if (sides.length > 0) await this.choice.choose(Object.fromEntries(sides.map((side) => [side, DEFAULT_THEME])));
    return sides.length > 0;
  }

  /** Returns the themes installed as packages. */
  packages(): { readonly name: string; readonly version: string; readonly folder: string }[] {
    const installed = this.catalogue.list().filter(({ name }) => this.catalogue.isInstalled(name) && this.originOf(name) !== null);
    return installed.map(({ name, version }) => ({ name, version, folder: this.folders.folderOf(name) }));
  }

  private async giveUp(slug: string, version: string): Promise<never> {
    const isBack = await this.folders.goBack(slug);
    await this.choice.reload();
    const reason = { key: 'pluginStore.theme_unreadable' };
    if (!isBack) throw new PluginStoreError('NOT_STARTED', { slug, version, reason });
    throw new PluginStoreError('ROLLED_BACK', { slug, version, before: this.versionOf(slug) ?? '', reason });
  }
}
