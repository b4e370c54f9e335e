import { Injectable } from '@nestjs/common';

import { Database, Generations, withNamedLock } from '../../database/index.js';
import type { FormValues } from '../../http/index.js';
import type { SiteConfig } from '../entities/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DEFAULT_THEME, THEME_FOLDERS_LOCK, ThemeCatalogue, type ThemeSide } from '../../theme/index.js';

import { SiteSettings } from '../site-settings.js';

import { ThemeChoiceError } from './errors.js';
import { ThemeScriptGrants } from './scripts/theme-script-grants.js';
import { ThemeSettings } from './settings/theme-settings.js';
import { SCRIPTS_PAGE, SETTINGS_PAGE, THEMES_PAGE } from './theme-places.js';
import { draftOf, previewedTheme } from './theme-preview.js';

const GENERATION = 'themes';

/** Settings that name the theme of a side. Payment pages use the home page's theme. */
const SETTING_OF = { admin: 'adminTheme', user: 'userTheme', home: 'homeTheme', pay: 'homeTheme' } as const satisfies Record<
  ThemeSide,
  keyof SiteConfig
>;

/** Sides that a theme can be chosen for. */
export type ChosenSide = Exclude<ThemeSide, 'pay'>;

/** Returns the theme for a request: the one the administrator previews, else the chosen one. */
export function themeOf(settings: Readonly<SiteConfig>, side: ThemeSide, call?: CallContext): string {
  if (call && ([THEMES_PAGE, SETTINGS_PAGE, SCRIPTS_PAGE].includes(call.path) || call.query.theme === DEFAULT_THEME)) return DEFAULT_THEME;
  return (call && (draftOf(call) || previewedTheme(call))) || chosenTheme(settings, side);
}

/** Returns the theme chosen for a side, whether or not it still exists. */
export function chosenTheme(settings: Readonly<SiteConfig>, side: ThemeSide): string {
  return settings[SETTING_OF[side]] || DEFAULT_THEME;
}

/** Form values of the theme choice, by field name. */
export const choiceForm = (settings: Readonly<SiteConfig>): FormValues => ({
  usertheme: chosenTheme(settings, 'user'),
  admintheme: chosenTheme(settings, 'admin'),
  hometheme: chosenTheme(settings, 'home'),
});

/** The active theme of each side. Changes reach every process of the installation within two seconds. */
@Injectable()
export class ThemeChoice {
  constructor(
    private readonly settings: SiteSettings,
    private readonly catalogue: ThemeCatalogue,
    private readonly generations: Generations,
    private readonly themeSettings: ThemeSettings,
    private readonly scripts: ThemeScriptGrants,
    private readonly database: Database,
  ) {}

  /** Starts following changes of other processes. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, async () => this.catalogue.reloadAll());
  }

  /** Returns the sides that use `name`. */
  sidesOf(name: string): ThemeSide[] {
    return (Object.keys(SETTING_OF) as ThemeSide[]).filter((side) => chosenTheme(this.settings.current, side) === name);
  }

  /**
   * Activates themes; sides that are not named keep theirs.
   *
   * @param check receives the locked settings; throwing rejects the change
   * @throws ThemeChoiceError NOT_SUPPORTED, with nothing changed
   */
  async choose(themes: Partial<Record<ChosenSide, string>>, check?: (settings: Readonly<SiteConfig>) => void): Promise<void> {
    await this.reload();
    const wanted = Object.entries(themes) as [ChosenSide, string][];
    for (const [side, name] of wanted) this.require(name, side);
    await this.settings.change(Object.fromEntries(wanted.map(([side, name]) => [SETTING_OF[side], name])), check);
  }

  /** Reloads the files of all themes, in every process. */
  async reload(): Promise<void> {
    this.catalogue.reloadAll();
    await this.generations.bump(GENERATION);
    await this.generations.catchUp(GENERATION);
  }

  /**
   * Removes an installed theme permanently.
   *
   * @throws ThemeChoiceError IN_USE if a side or a child theme uses it; NOT_INSTALLED for a bundled one
   */
  remove(name: string): Promise<void> {
    return withNamedLock(this.database, THEME_FOLDERS_LOCK, () => this.takeAway(name));
  }

  private async takeAway(name: string): Promise<void> {
    await this.reload();
    const children = this.catalogue.list().filter(({ parent }) => parent === name);
    if (this.sidesOf(name).length > 0 || children.length > 0) throw new ThemeChoiceError('IN_USE', { theme: name });
    if (!this.catalogue.isInstalled(name)) throw new ThemeChoiceError('NOT_INSTALLED', { theme: name });
    this.catalogue.remove(name);
    await this.themeSettings.forget(name);
    await this.scripts.forget(name);
    await this.reload();
  }

  private require(name: string, side: ChosenSide): void {
    if (!this.catalogue.supports(name, side)) throw new ThemeChoiceError('NOT_SUPPORTED', { theme: name });
  }
}
