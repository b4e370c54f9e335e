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
   * What it asks for: shown in the plugin list, before it is installed, and to the store's reviewers. `host_driver` is what
   * {@link SvcFacade.svc_register_host_driver} needs, `dns` what {@link SvcFacade.svc_register_dns_driver} needs, `customers` what
   * {@link CustomersService} needs, `credit` what {@link CreditService} needs; anything else is words for people. Code runs with
   * all rights whatever stands here.
   */
  permissions?: string[];
  /** Plugins that may read and write this one's options; `*` for all. */
  share_options?: string[];
  /** Kinds such as `payment` or `integration`: shown in the plugin list and to the store's reviewers. */
  type?: string[];
}
