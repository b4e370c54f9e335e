/**
 * What `theme.json` says of a theme.
 *
 * @example
 * ```ts
 * const record: ThemeRecord = { name: 'snow', title: 'Snow', version: '1.0.0', scope: ['user', 'home'] };
 * ```
 * @since 1.84.0
 */
export interface ThemeRecord {
  /** The folder of the theme in a panel: 1 to 63 letters, digits, `_` and `-`. */
  name: string;
  /** What people choose it by. */
  title: string;
  /** Semver, such as `1.0.0`. */
  version: string;
  description?: string;
  author?: string;
  /** The sides it is for; a side counts where it has a folder of that name. */
  scope?: ('admin' | 'user' | 'home' | 'pay')[];
  /**
   * Scripts for browsers, at most 5. Each runs once an administrator has granted it, as he read it, and on pages that handle money or
   * passwords after a second grant.
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
  /** `scripts/NAME.js`, with a name of `a-z`, `0-9`, `_` and `-`: a plain script of at most 40,000 bytes. */
  file: string;
  /** Where it is to run; every side of the theme where nothing is said. */
  sides?: ('admin' | 'user' | 'home' | 'pay')[];
  /** What it is for, in words or as a key of the theme's texts: administrators read it before they grant. At most 300 characters. */
  purpose?: string;
}

/**
 * Gives a theme's record its types. `svc-plugin build` writes `theme.json` from the default export of `src/theme.ts`, where there is one.
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
