/**
 * `plugin.json`. Source: docs/plugin-api.md "The package".
 *
 * @example
 * ```ts
 * const manifest: PluginManifest = { id: 'coupons', name: 'Coupons', version: '1.2.0', requires: '^1.84.0', main: 'index.js' };
 * svc.log.debug('as plugin.json says it', { manifest });
 * ```
 * @since 1.84.0
 */
export interface PluginManifest {
  id: string;
  name: string;
  version: string;
  author?: string;
  description?: string;
  /** Semver range of the panel API, such as `^1.84.0`. */
  requires?: string;
  /** Older spelling: at least this version. */
  requires_svc?: string;
  /** The same under the name older packages have it. */
  requires_mnbt?: string;
  requires_plugins?: string[] | Record<string, string>;
  /** Other slugs it answers to in `requires_plugins`, where no plugin of that slug is there: it does what that one does. */
  provides?: string[];
  /** CommonJS entry, `index.js` where nothing is given. */
  main?: string;
  /**
   * What it asks for, in the names of docs/plugin-api.md "Permissions": shown in the plugin list, before it is installed, and to the
   * store's reviewers. What is not named is refused (`PERMISSION_MISSING`); without this list people are told that the plugin does not
   * say what it needs. Names that are in no table are words for people.
   */
  permissions?: string[];
  /** Plugins that may read and write this one's options; `*` for all. */
  share_options?: string[];
  /** Kinds such as `payment` or `integration`: shown in the plugin list and to the store's reviewers. */
  type?: string[];
}
