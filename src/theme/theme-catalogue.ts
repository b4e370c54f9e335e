import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';

import { errorMessage, loggerFor, PACKAGE_ROOT } from '../common/index.js';
import { ThemeError } from './errors.js';
import { isThemeName, SHARED_FOLDER, type ThemeSide } from './names.js';
import { ThemeNotices } from './theme-notices.js';
import { THEME_OPTIONS, type ThemeOptions } from './theme-options.js';
import { BUILT_IN_THEME, readThemeInfo, readThemePackage, type ThemeInfo, type ThemePackage } from './theme-package.js';

/** The theme every other one falls back to. */
export const DEFAULT_THEME = 'default';

const log = loggerFor('theme');

/**
 * The themes there are, and which one each side uses. A bundled theme wins over an installed one of the same name, and either over the
 * default theme that is built in.
 */
@Injectable()
export class ThemeCatalogue {
  private readonly folders: string[];
  private readonly packages = new Map<string, ThemePackage | null>();

  constructor(
    @Inject(THEME_OPTIONS) private readonly options: ThemeOptions,
    private readonly notices: ThemeNotices,
  ) {
    this.folders = [options.bundledFolder ?? join(PACKAGE_ROOT, 'themes'), options.installedFolder, dirname(BUILT_IN_THEME)];
  }

  /** Every theme with a readable theme.json, by name. */
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
   * Names of the views, or of the partials, that `side` has in any theme, bundled or installed. Reads themes
   * that nobody uses: not for pages.
   */
  viewNames(side: ThemeSide, kind: 'page' | 'partial'): Set<string> {
    const folders: string[] = kind === 'page' ? [side] : [side, SHARED_FOLDER];
    const paths = this.list().flatMap(({ name }) => [...(this.package(name)?.templates.keys() ?? [])]);
    return new Set(
      paths.map((path) => path.split('/') as [string, string]).flatMap(([folder, view]) => (folders.includes(folder) ? [view] : [])),
    );
  }

  /** Whether `name` can be chosen for `side`. */
  supports(name: string, side: ThemeSide): boolean {
    return this.package(name)?.info.sides.includes(side) ?? false;
  }

  /** The theme of `side`: the chosen one where it exists and has that side, else the default one; null where not even that is there. */
  active(side: ThemeSide): ThemePackage | null {
    const chosen = this.options.activeTheme?.(side);
    if (chosen !== undefined && chosen !== DEFAULT_THEME) {
      const theme = this.package(chosen);
      if (theme?.info.sides.includes(side)) return theme;
    }
    return this.package(DEFAULT_THEME);
  }

  /** A theme by name, read at its first use; null where there is none. */
  package(name: string): ThemePackage | null {
    if (!isThemeName(name)) return null;
    let theme = this.packages.get(name);
    if (theme === undefined) {
      theme = this.read(name);
      // A name that is not there may come later, and names come from outside without end.
      if (theme) this.packages.set(name, theme);
    }
    return theme;
  }

  /**
   * Reads `name` anew after its files changed.
   *
   * @throws ThemeError THEME_NOT_FOUND
   */
  reload(name: string): ThemePackage {
    this.packages.delete(name);
    this.notices.clear(name);
    const theme = this.package(name);
    if (!theme) throw new ThemeError('THEME_NOT_FOUND', { name });
    return theme;
  }

  private read(name: string): ThemePackage | null {
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
