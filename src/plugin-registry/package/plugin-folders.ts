import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PACKAGE_ROOT, isPluginSlug } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { PluginError } from '../errors.js';

import { readPluginPackage, type PluginPackage } from './manifest.js';

/** Longest folder name shown in the list. */
const MAX_FOLDER_NAME = 100;

/** A folder with a plugin: its package, or the problem with it. */
export type FoundPlugin = { slug: string; package: PluginPackage } | { slug: string; problem: PluginError };

/** Locates plugins: bundled ones as built, the administrator's own in the data folder, which take precedence. */
@Injectable()
export class PluginFolders {
  readonly roots: readonly string[];
  /** Backups of the versions that started last: see KeptVersions. */
  readonly keptRoot: string;

  constructor(config: AppConfig) {
    const own = join(config.dataDir, 'plugins');
    mkdirSync(own, { recursive: true, mode: 0o755 });
    this.keptRoot = join(config.dataDir, 'plugin-versions');
    this.roots = [own, join(PACKAGE_ROOT, 'dist/plugins')];
  }

  /** Returns all folders with a plugin.json, sorted by slug. */
  discover(): FoundPlugin[] {
    const found = this.asWritten();
    const providerOf = (name: string): string | null => providerAmong(found, name);
    return found.map((one) => ('package' in one ? { ...one, package: this.resolved(one.package, providerOf) } : one));
  }

  /** As {@link discover}, without resolving aliases in `requires_plugins`. */
  private asWritten(): FoundPlugin[] {
    return this.slugs().map((slug) => {
      try {
        return { slug, package: this.readAsWritten(slug) };
      } catch (error) {
        if (error instanceof PluginError) return { slug, problem: error };
        throw error;
      }
    });
  }

  /** Names of folders with a plugin.json, sorted; the files are not read. */
  private slugs(): string[] {
    const slugs = new Set<string>();
    for (const root of this.roots) {
      if (!existsSync(root)) continue;
      for (const entry of readdirSync(root, { withFileTypes: true })) {
        // A folder whose name is not a valid slug is listed with the reason, because whoever placed it will look for it there.
        if (entry.name.length <= MAX_FOLDER_NAME && existsSync(join(root, entry.name, 'plugin.json'))) slugs.add(entry.name);
      }
    }
    return [...slugs].sort();
  }

  /**
   * Returns the plugin whose file comes first in a stack trace; null for none.
   *
   * @param stack of `Error.stack`, with symbolic links of the folders resolved
   */
  ownerOfStack(stack: string): string | null {
    const found = this.slugs().flatMap((slug) => {
      const places = [this.rootOf(slug), this.keptRoot].flatMap((root) =>
        root && existsSync(join(root, slug)) ? [realpathSync(join(root, slug)) + sep] : [],
      );
      return places.flatMap((place) => {
        const at = stack.indexOf(place);
        return at < 0 ? [] : [{ slug, at }];
      });
    });
    return found.sort((a, b) => a.at - b.at)[0]?.slug ?? null;
  }

  /** Replaces aliases in a plugin's dependencies: a name without a folder of its own is resolved to the first plugin that provides it. */
  resolved(plugin: PluginPackage, providerOf = (name: string) => providerAmong(this.asWritten(), name)): PluginPackage {
    const { dependencies } = plugin;
    if ([...dependencies.keys()].every((name) => this.rootOf(name))) return plugin;
    const named = [...dependencies].map(([name, range]): [string, string] => [
      this.rootOf(name) ? name : (providerOf(name) ?? name),
      range,
    ]);
    return { ...plugin, dependencies: new Map(named.filter(([name]) => name !== plugin.slug)) };
  }

  /**
   * Reads the package of one plugin.
   *
   * @throws PluginError SLUG_INVALID, PLUGIN_NOT_FOUND and those of {@link readPluginPackage}
   */
  read(slug: string): PluginPackage {
    return this.resolved(this.readAsWritten(slug));
  }

  private readAsWritten(slug: string): PluginPackage {
    if (!isPluginSlug(slug)) throw new PluginError('SLUG_INVALID');
    const root = this.rootOf(slug);
    if (!root) throw new PluginError('PLUGIN_NOT_FOUND');
    return readPluginPackage(slug, join(root, slug));
  }

  /** Whether a plugin's folder is in the data folder, not bundled. */
  isOwn(folder: string): boolean {
    return dirname(folder) === this.roots[0];
  }

  /** Whether a plugin's folder is bundled with the panel. */
  isBundled(folder: string): boolean {
    return dirname(folder) === this.roots[1];
  }

  private rootOf(slug: string): string | undefined {
    return this.roots.find((candidate) => existsSync(join(candidate, slug)));
  }
}

/** Returns the first plugin that provides a name; null for none. */
function providerAmong(found: readonly FoundPlugin[], name: string): string | null {
  return found.find((one) => 'package' in one && one.package.provides.includes(name))?.slug ?? null;
}
