import type { CallContext } from '../sdk/index.js';

import type { DeclaredInput } from './form-field.js';
import type { ThemeSide, ViewSide } from './names.js';
import type { ScriptGrant } from './scripts/index.js';
import type { PictureAddress, ThemeSettingValues } from './settings/index.js';

/** Token of {@link ThemeOptions}. */
export const THEME_OPTIONS = Symbol('theme options');

/** What the theme module is told by the application. */
export interface ThemeOptions {
  /** Folder of installed themes, `DATA_DIR/themes`; it need not exist. */
  installedFolder: string;
  /** Folder of the themes that come with the panel; `themes/` beside package.json where nothing is given. */
  bundledFolder?: string;
  /**
   * Which theme a side uses; undefined means the default one. Asked for every page, so it must be quick.
   *
   * @param call the request a page is made for: an administrator may look at another theme before it is switched on
   */
  activeTheme?: (side: ThemeSide, call?: CallContext) => string | undefined;
  /**
   * Whether the administrator of a request may run an operation, or open the page of an address that begins with `/`; where
   * nothing is given, everybody may.
   */
  mayUse?: (call: CallContext, what: string) => boolean;
  /**
   * What an operation of a page's side declares as its input: null for one that declares nothing, undefined where there is no such
   * operation. Asked for every field of a form, so it must be quick; where nothing is given, nothing is known of any operation.
   */
  inputOf?: (side: ViewSide, operation: string) => DeclaredInput | null | undefined;
  /**
   * Whether a plugin runs that did not come with the panel. Asked for every page, so it must be quick; where nothing is given, none does.
   */
  runsOthersPlugins?: () => boolean;
  /** What was set of a theme that has settings. Asked for every page of it, so it must be quick; where nothing is given, nothing is set. */
  settings?: (theme: string, call?: CallContext) => Promise<ThemeSettingValues>;
  /** Where a picture among them is served; where nothing is given, nowhere. */
  settingPicture?: PictureAddress;
  /** What was granted to scripts of a theme. Asked for every page of it, so it must be quick; where nothing is given, nothing was. */
  scriptGrants?: (theme: string) => readonly ScriptGrant[];
  /** IANA zone of the times people see, such as `Asia/Shanghai`. */
  timezone: string;
}
