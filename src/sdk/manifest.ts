/**
 * The contents of `plugin.json`. Source: docs/plugin-api.md "The package".
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
  /** Older form of `requires`: the minimum version. */
  requires_svc?: string;
  /** The same as `requires_svc`, under the name older packages use. */
  requires_mnbt?: string;
  requires_plugins?: string[] | Record<string, string>;
  /** Other slugs this plugin satisfies in `requires_plugins` when no plugin with that slug is installed: it provides the same features. */
  provides?: string[];
  /** CommonJS entry file, `index.js` by default. */
  main?: string;
  /**
   * Permissions the plugin requests, named as in docs/plugin-api.md "Permissions". They are shown in the plugin list, before installation,
   * and to the store's reviewers. Anything not listed is refused (`PERMISSION_MISSING`); without this list, administrators are warned that
   * the plugin does not declare what it needs. Names that are not in the table are shown as free text.
   */
  permissions?: string[];
  /** Plugins that may read and write this plugin's options; `*` for all. */
  share_options?: string[];
  /** Categories such as `payment` or `integration`: shown in the plugin list and to the store's reviewers. */
  type?: string[];
}
