import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PACKAGE_ROOT, isPluginSlug } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { PluginError } from '../errors.js';

import { readPluginPackage, type PluginPackage } from './manifest.js';

/** Characters of a folder's name that the list shows. */
const MAX_FOLDER_NAME = 100;

/** A folder that wants to be a plugin: its package, or what is wrong with it. */
export type FoundPlugin = { slug: string; package: PluginPackage } | { slug: string; problem: PluginError };

/** Where plugins lie: the bundled ones as the build leaves them, the administrator's own in the data folder, which win. */
@Injectable()
export class PluginFolders {
  readonly roots: readonly string[];
  /** Where the versions lie that started well last: see KeptVersions. */
  readonly keptRoot: string;

  constructor(config: AppConfig) {
    const own = join(config.dataDir, 'plugins');
    mkdirSync(own, { recursive: true, mode: 0o755 });
    this.keptRoot = join(config.dataDir, 'plugin-versions');
    this.roots = [own, join(PACKAGE_ROOT, 'dist/plugins')];
  }

  /** Everything with a plugin.json, sorted by slug. */
  discover(): FoundPlugin[] {
    const found = this.asWritten();
    const providerOf = (name: string): string | null => providerAmong(found, name);
    return found.map((one) => ('package' in one ? { ...one, package: this.resolved(one.package, providerOf) } : one));
  }

  /** As {@link discover}, with the names in `requires_plugins` not followed to who provides them. */
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

  /** The folders with a plugin.json, sorted; what stands in those is not read. */
  private slugs(): string[] {
    const slugs = new Set<string>();
    for (const root of this.roots) {
      if (!existsSync(root)) continue;
      for (const entry of readdirSync(root, { withFileTypes: true })) {
        // One whose name cannot be a slug is shown with the reason: whoever put it there looks for it in the list.
        if (entry.name.length <= MAX_FOLDER_NAME && existsSync(join(root, entry.name, 'plugin.json'))) slugs.add(entry.name);
      }
    }
    return [...slugs].sort();
  }

  /**
   * The plugin whose file comes first in the stack of an error; null where none does.
   *
   * @param stack as `Error.stack` has it: the links of the folders are resolved in it
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

  /**
   * With what it needs under the slugs that are there: a name without a folder of its own is answered by the first plugin that provides it.
   */
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
   * The package of one plugin.
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

  /** Whether a plugin's folder is the administrator's own, not one that came with the panel. */
  isOwn(folder: string): boolean {
    return dirname(folder) === this.roots[0];
  }

  /** Whether a plugin's folder came with the panel. */
  isBundled(folder: string): boolean {
    return dirname(folder) === this.roots[1];
  }

  private rootOf(slug: string): string | undefined {
    return this.roots.find((candidate) => existsSync(join(candidate, slug)));
  }
}

/** The first plugin that provides a name; null where none does. */
function providerAmong(found: readonly FoundPlugin[], name: string): string | null {
  return found.find((one) => 'package' in one && one.package.provides.includes(name))?.slug ?? null;
}
