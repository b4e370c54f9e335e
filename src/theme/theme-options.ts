import type { CallContext } from '../sdk/index.js';

import type { DeclaredInput } from './form-field.js';
import type { ThemeSide, ViewSide } from './names.js';
import type { ScriptGrant } from './scripts/index.js';
import type { PictureAddress, ThemeSettingValues } from './settings/index.js';

/** Token of {@link ThemeOptions}. */
export const THEME_OPTIONS = Symbol('theme options');

/** Options of the theme module, provided by the application. */
export interface ThemeOptions {
  /** Folder of installed themes, `DATA_DIR/themes`; may be missing. */
  installedFolder: string;
  /** Folder of bundled themes; default `themes/` next to package.json. */
  bundledFolder?: string;
  /**
   * Returns the theme of a side; undefined for the default one. Called for every page, so it must be fast.
   *
   * @param call the request of the page: an administrator may preview another theme
   */
  activeTheme?: (side: ThemeSide, call?: CallContext) => string | undefined;
  /**
   * Returns whether the administrator of a request may run an operation, or open a page whose URL begins with `/`; without it,
   * everything is allowed.
   */
  mayUse?: (call: CallContext, what: string) => boolean;
  /**
   * Returns the declared input of an operation of the page's side: null if it declares none, undefined if the operation does not
   * exist. Called for every form field, so it must be fast; without it, no operation is known.
   */
  inputOf?: (side: ViewSide, operation: string) => DeclaredInput | null | undefined;
  /** Returns whether a third-party plugin is running. Called for every page, so it must be fast; without it, none is. */
  runsOthersPlugins?: () => boolean;
  /**
   * Returns the saved settings of a theme that has settings. Called for every page of it, so it must be fast; without it, none are saved.
   */
  settings?: (theme: string, call?: CallContext) => Promise<ThemeSettingValues>;
  /** Returns the URL of an image among the settings; without it, images have no URL. */
  settingPicture?: PictureAddress;
  /** Returns the script grants of a theme. Called for every page of it, so it must be fast; without it, nothing is granted. */
  scriptGrants?: (theme: string) => readonly ScriptGrant[];
  /** IANA time zone of displayed times, such as `Asia/Shanghai`. */
  timezone: string;
}
