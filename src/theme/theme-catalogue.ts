import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';

import { errorMessage, loggerFor, PACKAGE_ROOT } from '../common/index.js';
import type { CallContext } from '../sdk/index.js';
import { ThemeError } from './errors.js';
import { isThemeName, SHARED_FOLDER, type ThemeSide } from './names.js';
import { ThemeNotices } from './theme-notices.js';
import { THEME_OPTIONS, type ThemeOptions } from './theme-options.js';
import { standingOn } from './child-theme.js';
import { BUILT_IN_THEME, readThemeInfo, readThemePackage, type ThemeInfo, type ThemePackage } from './theme-package.js';

/** The theme every other one falls back to. */
export const DEFAULT_THEME = 'default';

/** Lock of who changes the folders of installed themes, of all processes. */
export const THEME_FOLDERS_LOCK = 'theme_packages';

/** Themes a theme may stand on, one on the other. */
const MAX_ANCESTORS = 4;

const log = loggerFor('theme');

/**
 * The themes there are, and which one each side uses. A bundled theme wins over an installed one of the same name, and either over the
 * default theme that is built in.
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
  active(side: ThemeSide, call?: CallContext): ThemePackage | null {
    const chosen = this.options.activeTheme?.(side, call);
    if (chosen !== undefined && chosen !== DEFAULT_THEME) {
      const theme = this.package(chosen);
      if (theme?.info.sides.includes(side)) return theme;
    }
    return this.package(DEFAULT_THEME);
  }

  /** Every theme there is, broken ones left out. Reads those nobody uses, once: what lies there since waits for {@link reloadAll}. */
  all(): ThemePackage[] {
    if (!this.everyOne) for (const { name } of this.list()) this.package(name);
    this.everyOne = true;
    return [...this.packages.values()].filter((theme) => theme !== null);
  }

  /** Whether a theme was installed into the panel's own folder; the others come with the program. */
  isInstalled(name: string): boolean {
    const [bundled, installed] = this.folders as [string, string];
    return !foldersIn(bundled).includes(name) && foldersIn(installed).includes(name);
  }

  /**
   * Takes the folder of an installed theme away, for who holds {@link THEME_FOLDERS_LOCK}. The versions before it go first: a process that
   * ends at any moment leaves the theme or nothing of it, and no version that comes back.
   *
   * @throws ThemeError THEME_NOT_FOUND where none of this name was installed
   */
  remove(name: string): void {
    if (!isThemeName(name) || !this.isInstalled(name)) throw new ThemeError('THEME_NOT_FOUND', { name });
    const folder = join(this.options.installedFolder, name);
    rmSync(this.placeBefore(name), { recursive: true, force: true });
    // Out of sight in one step. What is left where new files come in is swept.
    const gone = join(this.options.installedFolder, '.incoming', `${name}.removed`);
    rmSync(gone, { recursive: true, force: true });
    mkdirSync(dirname(gone), { recursive: true });
    renameSync(folder, gone);
    rmSync(gone, { recursive: true, force: true });
  }

  /** Whether a version before the present one of an installed theme is kept. */
  hasBefore(name: string): boolean {
    return this.isInstalled(name) && foldersIn(this.placeBefore(name)).length > 0;
  }

  /** Whether an installed theme came as a package, not by hand. */
  isPackage(name: string): boolean {
    return this.isInstalled(name) && existsSync(join(this.options.installedFolder, name, '.origin.json'));
  }

  private placeBefore(name: string): string {
    return join(this.options.installedFolder, '.before', name);
  }

  /** A theme by name with what it has of the theme it stands on, read at its first use; null where there is none. */
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

  /** Reads every theme anew when it is next used, and forgets what was wrong with them. */
  reloadAll(): void {
    for (const name of this.packages.keys()) this.notices.clear(name);
    this.packages.clear();
    this.everyOne = false;
  }

  /** The theme standing on its parent; one whose parent is missing, or whose parents go round in a circle, stands alone. */
  private read(name: string): ThemePackage | null {
    const line: ThemePackage[] = [];
    for (let next: string = name; next !== '' && next !== DEFAULT_THEME; next = line.at(-1)!.info.parent) {
      const isAgain = line.some(({ info }) => info.name === next);
      const theme = isAgain || line.length > MAX_ANCESTORS ? null : this.readOne(next);
      if (!theme && line.length === 0) return null;
      if (!theme) {
        const reason = isAgain
          ? 'the parents go round in a circle'
          : line.length > MAX_ANCESTORS
            ? 'there are too many parents'
            : 'is missing';
        this.notices.record(name, 'theme.json', `parent "${next}": ${reason}`);
        break;
      }
      line.push(theme);
    }
    const theme = line.length === 0 ? this.readOne(name) : line.reduceRight((parent, child) => standingOn(child, parent));
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
