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
