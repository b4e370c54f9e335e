import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';

import { errorMessage, loggerFor, PACKAGE_ROOT } from '../common/index.js';
import type { CallContext } from '../sdk/index.js';
import { ThemeError } from './errors.js';
import { isThemeName, SHARED_FOLDER, type ThemeSide } from './names.js';
import { ThemeNotices } from './theme-notices.js';
import { THEME_OPTIONS, type ThemeOptions } from './theme-options.js';
import { mergeWithParent } from './child-theme.js';
import { BUILT_IN_THEME, readThemeInfo, readThemePackage, type ThemeInfo, type ThemePackage } from './theme-package.js';

/** The fallback of every other theme. */
export const DEFAULT_THEME = 'default';

/** Named lock for changes to the folders of installed themes, across processes. */
export const THEME_FOLDERS_LOCK = 'theme_packages';

/** Maximum ancestors of a theme. */
const MAX_ANCESTORS = 4;

const log = loggerFor('theme');

/**
 * The available themes, and the active one of each side. A bundled theme takes precedence over an installed one of the same name, and
 * both over the built-in default theme.
 */
@Injectable()
export class ThemeCatalogue {
  private readonly folders: string[];
  private readonly packages = new Map<string, ThemePackage | null>();
  private everyOne = false;

  constructor(
    @Inject(THEME_OPTIONS) private readonly options: ThemeOptions,
    private readonly notices: ThemeNotices,
  ) {
    this.folders = [options.bundledFolder ?? join(PACKAGE_ROOT, 'themes'), options.installedFolder, dirname(BUILT_IN_THEME)];
  }

  /** Returns every theme with a readable theme.json, by name. */
  list(): ThemeInfo[] {
    const found = new Map<string, ThemeInfo>();
    for (const folder of this.folders) {
      for (const name of foldersIn(folder)) {
        if (found.has(name) || !isThemeName(name)) continue;
        try {
          found.set(name, readThemeInfo(join(folder, name), name));
        } catch (error) {
          log.warn({ theme: name, reason: errorMessage(error) }, 'theme.json cannot be read');
        }
      }
    }
    return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /**
   * Returns the names of the views or partials of `side` in all themes. Reads unused themes, so it is too slow
   * for pages.
   */
  viewNames(side: ThemeSide, kind: 'page' | 'partial'): Set<string> {
    const folders: string[] = kind === 'page' ? [side] : [side, SHARED_FOLDER];
    const paths = this.list().flatMap(({ name }) => [...(this.package(name)?.templates.keys() ?? [])]);
    return new Set(
      paths.map((path) => path.split('/') as [string, string]).flatMap(([folder, view]) => (folders.includes(folder) ? [view] : [])),
    );
  }

  /** Returns whether `name` can be chosen for `side`. */
  supports(name: string, side: ThemeSide): boolean {
    return this.package(name)?.info.sides.includes(side) ?? false;
  }

  /** Returns the theme of `side`: the chosen one if it exists and supports the side, else the default one; null if that is missing, too. */
  active(side: ThemeSide, call?: CallContext): ThemePackage | null {
    const chosen = this.options.activeTheme?.(side, call);
    if (chosen !== undefined && chosen !== DEFAULT_THEME) {
      const theme = this.package(chosen);
      if (theme?.info.sides.includes(side)) return theme;
    }
    return this.package(DEFAULT_THEME);
  }

  /** Returns all valid themes. Unused ones are read once; later changes require {@link reloadAll}. */
  all(): ThemePackage[] {
    if (!this.everyOne) for (const { name } of this.list()) this.package(name);
    this.everyOne = true;
    return [...this.packages.values()].filter((theme) => theme !== null);
  }

  /** Returns whether a theme was installed into the panel's own folder; others are bundled. */
  isInstalled(name: string): boolean {
    const [bundled, installed] = this.folders as [string, string];
    return !foldersIn(bundled).includes(name) && foldersIn(installed).includes(name);
  }

  /**
   * Removes the folder of an installed theme; the caller must hold {@link THEME_FOLDERS_LOCK}. Previous versions are removed first, so
   * that a crash never leaves a version that could be restored without its theme.
   *
   * @throws ThemeError THEME_NOT_FOUND if it is not installed
   */
  remove(name: string): void {
    if (!isThemeName(name) || !this.isInstalled(name)) throw new ThemeError('THEME_NOT_FOUND', { name });
    const folder = join(this.options.installedFolder, name);
    rmSync(this.placeBefore(name), { recursive: true, force: true });
    // Moved away atomically. Leftovers in `.incoming` are cleaned up later.
    const removed = join(this.options.installedFolder, '.incoming', `${name}.removed`);
    rmSync(removed, { recursive: true, force: true });
    mkdirSync(dirname(removed), { recursive: true });
    renameSync(folder, removed);
    rmSync(removed, { recursive: true, force: true });
  }

  /** Returns whether a previous version of an installed theme is kept. */
  hasBefore(name: string): boolean {
    return this.isInstalled(name) && foldersIn(this.placeBefore(name)).length > 0;
  }

  /** Returns whether an installed theme came from a package instead of manual installation. */
  isPackage(name: string): boolean {
    return this.isInstalled(name) && existsSync(join(this.options.installedFolder, name, '.origin.json'));
  }

  private placeBefore(name: string): string {
    return join(this.options.installedFolder, '.before', name);
  }

  /** Returns a theme merged with its parent, loaded on first use; null if it does not exist. */
  package(name: string): ThemePackage | null {
    if (!isThemeName(name)) return null;
    let theme = this.packages.get(name);
    if (theme === undefined) {
      theme = this.read(name);
      // Missing names are not cached: the theme may be added later, and outsiders can send any number of names.
      if (theme) this.packages.set(name, theme);
    }
    return theme;
  }

  /** Reloads every theme on its next use, and clears their notices. */
  reloadAll(): void {
    for (const name of this.packages.keys()) this.notices.clear(name);
    this.packages.clear();
    this.everyOne = false;
  }

  /** Loads a theme merged with its parents; the chain ends before a missing parent, a cycle, or too many parents. */
  private read(name: string): ThemePackage | null {
    const chain: ThemePackage[] = [];
    for (let next: string = name; next !== '' && next !== DEFAULT_THEME; next = chain.at(-1)!.info.parent) {
      const isCycle = chain.some(({ info }) => info.name === next);
      const theme = isCycle || chain.length > MAX_ANCESTORS ? null : this.readOne(next);
      if (!theme && chain.length === 0) return null;
      if (!theme) {
        const reason = isCycle ? 'the parents form a cycle' : chain.length > MAX_ANCESTORS ? 'there are too many parents' : 'is missing';
        this.notices.record(name, 'theme.json', `parent "${next}": ${reason}`);
        break;
      }
      chain.push(theme);
    }
    const theme = chain.length === 0 ? this.readOne(name) : chain.reduceRight((parent, child) => mergeWithParent(child, parent));
    return theme && { ...theme, isInstalled: this.isInstalled(name) };
  }

  private readOne(name: string): ThemePackage | null {
    for (const folder of this.folders) {
      if (!foldersIn(folder).includes(name)) continue;
      try {
        const theme = readThemePackage(join(folder, name), name);
        for (const { file, message } of theme.problems) this.notices.record(name, file, message);
        return theme;
      } catch (error) {
        this.notices.record(name, 'theme.json', errorMessage(error));
      }
    }
    return null;
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => lstatSync(join(folder, name)).isDirectory());
  } catch {
    return [];
  }
}
