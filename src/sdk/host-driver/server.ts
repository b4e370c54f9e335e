import type { SettingsField } from '../contributions.js';

/**
 * A field of the servers of a kind; a `password` is a secret: never shown again, and left as it is where it is left empty. All of them are
 * sealed with the key of the installation.
 *
 * @example
 * ```ts
 * const token: HostDriverField = { key: 'token', label: 'Token', type: 'password', required: true };
 * ```
 * @since 1.84.0
 */
export interface HostDriverField extends SettingsField {
  /** Nobody can add a server while it is empty. */
  required?: boolean;
}

/**
 * A server accounts live on, as its driver needs it.
 *
 * @example
 * ```ts
 * const addressOf = (node: HostDriverNode): string => `${node.secure ? 'https' : 'http'}://${node.address}:${node.port}`;
 * ```
 * @since 1.84.0
 */
export interface HostDriverNode {
  /** `SVC_bt.btdh`. */
  readonly code: string;
  readonly address: string;
  readonly port: number;
  readonly secure: boolean;
  /** API key of the server's own panel: a secret. */
  readonly panelKey: string;
  /** Values of the fields the kind declares, secrets among them; a switch is `'true'` or `'false'`. */
  readonly settings: Readonly<Record<string, string>>;
  /** PHP new sites get, such as `82`, where somebody chose one. */
  readonly defaultPhp?: string;
}

/**
 * A site on its server.
 *
 * @example
 * ```ts
 * const isHis = (there: { mark: string }, account: HostDriverAccount): boolean => there.mark === account.ownerMark;
 * ```
 * @since 1.84.0
 */
export interface HostDriverAccount {
  readonly node: HostDriverNode;
  readonly username: string;
  /** Name of the site on the server, made by the panel: `[a-z0-9.]{1,64}`. */
  readonly siteName: string;
  /** What `create` answered; empty before. */
  readonly siteId: string;
  /** Never the same for two accounts; a site that carries another one is not this account's. */
  readonly ownerMark: string;
}

/**
 * Limits of a site; 0 is unlimited.
 *
 * @example
 * ```ts
 * const small: HostDriverQuota = { webMb: 500, databaseMb: 0, trafficGb: 10, domains: 3 };
 * ```
 * @since 1.84.0
 */
export interface HostDriverQuota {
  /** MB. */
  readonly webMb: number;
  /** MB. */
  readonly databaseMb: number;
  /** GB per month. */
  readonly trafficGb: number;
  readonly domains: number;
}

/**
 * What a new site gets.
 *
 * @example
 * ```ts
 * const lasts = ({ expiresOn }: HostDriverSite): string => expiresOn ?? 'for ever';
 * ```
 * @since 1.84.0
 */
export interface HostDriverSite extends HostDriverAccount {
  /**
   * Null when an interrupted creation is finished later: the panel keeps only a hash. A driver that cannot make the site without it answers
   * `refused`, and the creation is rolled back.
   */
  readonly password: string | null;
  readonly quota: HostDriverQuota;
  /** Last day `YYYY-MM-DD`; null never expires. */
  readonly expiresOn: string | null;
}

/**
 * How a site stands on its server, the only source of truth for it.
 *
 * @example
 * ```ts
 * const idle: HostDriverStatus = { running: true, suspended: false, webUsedBytes: 0, databaseUsedBytes: 0 };
 * ```
 * @since 1.84.0
 */
export interface HostDriverStatus {
  /** The web site answers. */
  readonly running: boolean;
  /** The account as a whole is out of service: site, FTP and whatever else the server gives it. */
  readonly suspended: boolean;
  readonly webUsedBytes: number;
  readonly databaseUsedBytes: number;
}

/**
 * A site a server has, whether an account of the panel knows it or not.
 *
 * @example
 * ```ts
 * const site: HostDriverRemoteSite = { siteName: 'svc.1', siteId: '7', ownerMark: null,
 *   username: 'alice01', running: true, suspended: false };
 * ```
 * @since 1.84.0
 */
export interface HostDriverRemoteSite {
  readonly siteName: string;
  readonly siteId: string;
  /** Null for a site that carries no mark of the panel's. */
  readonly ownerMark: string | null;
  readonly username: string;
  readonly running: boolean;
  readonly suspended: boolean;
}

/**
 * Some of a server's sites.
 *
 * @example
 * ```ts
 * const last: HostDriverPage = { sites: [], next: null };
 * ```
 * @since 1.84.0
 */
export interface HostDriverPage {
  /** At most 1,000. */
  readonly sites: readonly HostDriverRemoteSite[];
  /** What `list` takes to go on; null after the last page. */
  readonly next: string | null;
}

/**
 * What a server says of itself.
 *
 * @example
 * ```ts
 * const probe: HostDriverProbe = { version: '11.2', system: 'Debian 13' };
 * ```
 * @since 1.84.0
 */
export interface HostDriverProbe {
  readonly version: string;
  readonly system: string;
}
