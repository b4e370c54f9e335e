/**
 * The contents of `theme.json`.
 *
 * @example
 * ```ts
 * const record: ThemeRecord = { name: 'snow', title: 'Snow', version: '1.0.0', scope: ['user', 'home'] };
 * ```
 * @since 1.84.0
 */
export interface ThemeRecord {
  /** Folder name of the theme in a panel: 1 to 63 letters, digits, `_` and `-`. */
  name: string;
  /** Name shown when choosing a theme. */
  title: string;
  /** Semantic version, such as `1.0.0`. */
  version: string;
  description?: string;
  author?: string;
  /** The sides the theme is for; a side counts only if the theme has a folder with its name. */
  scope?: ('admin' | 'user' | 'home' | 'pay')[];
  /**
   * Browser scripts, at most 5. Each runs once an administrator has granted it, in exactly the version they read; pages that handle money
   * or passwords need a second grant.
   *
   * @since 1.84.0
   */
  scripts?: ThemeScriptRecord[];
}

/**
 * A script of a theme.
 *
 * @example
 * ```ts
 * const script: ThemeScriptRecord = { file: 'scripts/waves.js', sides: ['home'], purpose: 'Moves the waves of the band' };
 * ```
 * @since 1.84.0
 */
export interface ThemeScriptRecord {
  /** Path `scripts/NAME.js`, with a name of `a-z`, `0-9`, `_` and `-`: a plain script of at most 40,000 bytes. */
  file: string;
  /** The sides it runs on; every side of the theme by default. */
  sides?: ('admin' | 'user' | 'home' | 'pay')[];
  /** Purpose of the script, as text or as a key of the theme's texts; administrators read it before granting it. At most 300 characters. */
  purpose?: string;
}

/**
 * Adds types to a theme's record. `svc-plugin build` writes `theme.json` from the default export of `src/theme.ts`, if that file exists.
 *
 * @example
 * ```ts
 * export default defineTheme({ name: 'snow', title: 'Snow', version: '1.0.0', scope: ['user'] });
 * ```
 * @since 1.84.0
 */
export function defineTheme(theme: ThemeRecord): ThemeRecord {
  return theme;
}
