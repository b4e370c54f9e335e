import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';

/**
 * A domain of a site.
 *
 * @example
 * ```ts
 * const shop: HostDriverDomain = { name: 'shop.example.com', folder: 'shop' };
 * ```
 * @since 1.84.0
 */
export interface HostDriverDomain {
  /** In lower case and punycode, such as `www.example.com`; `*.example.com` matches every name with exactly one more label. */
  readonly name: string;
  /** Folder it shows, relative to the web root and without slashes at either end; empty for the web root. */
  readonly folder: string;
}

/**
 * Domains of sites on a kind of server. The panel's database is authoritative; the server receives the complete list each time.
 *
 * @example
 * ```ts
 * const bound = new Map<string, readonly HostDriverDomain[]>();
 * const domains: HostDriverDomains = {
 *   apply({ siteName }, names) {
 *     const same = JSON.stringify(bound.get(siteName)) === JSON.stringify(names);
 *     bound.set(siteName, names);
 *     return { outcome: same ? 'already' : 'ok' };
 *   },
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverDomains {
  /** Sets the domains of a site, in addition to its own name. A repeated call returns `already`. */
  apply: (account: HostDriverAccount, domains: readonly HostDriverDomain[], deadline: AbortSignal) => HostDriverAnswer;
  /** Returns whether a site has exactly these domains, for **Compare and repair**; changes nothing. If omitted, they are not compared. */
  matches?: (account: HostDriverAccount, domains: readonly HostDriverDomain[], deadline: AbortSignal) => HostDriverAnswer<boolean>;
}

/**
 * How a site is served.
 *
 * @example
 * ```ts
 * const startPage = ({ indexes }: HostDriverSiteSettings): string => indexes[0] ?? 'index.html';
 * ```
 * @since 1.84.0
 */
export interface HostDriverSiteSettings {
  /** Index files of folders; the first existing one is served. */
  readonly indexes: readonly string[];
  /** Folder served in place of the web root, relative to it and without slashes at either end. */
  readonly runFolder: string;
  /** `from`: a path; a trailing `/*` matches everything below it. `to`: a path of the site or a URL. */
  readonly redirects: readonly { readonly id: string; readonly from: string; readonly to: string; readonly status: 301 | 302 }[];
  /** Folders protected by name and password; `hash` is the panel's own. */
  readonly passwords: readonly { readonly name: string; readonly folder: string; readonly user: string; readonly hash: string }[];
  /** Files that other sites may not embed. */
  readonly hotlink: {
    readonly enabled: boolean;
    readonly suffixes: readonly string[];
    readonly domains: readonly string[];
    readonly allowEmpty: boolean;
    readonly status: 403 | 404;
  };
  /** How long browsers may cache files: a number with `s`, `m`, `h`, `d`, `M` (30 days) or `y`. */
  readonly cache: readonly { readonly suffix: string; readonly time: string }[];
  readonly compression: { readonly enabled: boolean; readonly level: number; readonly minBytes: number; readonly types: readonly string[] };
  /** Paths of custom error pages, by status. */
  readonly errorPages: Readonly<Partial<Record<'403' | '404' | '503', string>>>;
}

/**
 * Settings of sites on a kind of server. The panel's database is authoritative; the server receives all settings each time.
 *
 * @example
 * ```ts
 * const served = new Map<string, string>();
 * const settings: HostDriverSettings = {
 *   apply: ({ siteName }, wanted) => {
 *     const before = served.get(siteName);
 *     return { outcome: before === served.set(siteName, JSON.stringify(wanted)).get(siteName) ? 'already' : 'ok' };
 *   },
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverSettings {
  /** Sets the settings of a site. A repeated call returns `already`. */
  apply: (account: HostDriverAccount, settings: HostDriverSiteSettings, deadline: AbortSignal) => HostDriverAnswer;
  /** Returns whether a site has exactly these settings, for **Compare and repair**; changes nothing. If omitted, they are not compared. */
  matches?: (account: HostDriverAccount, settings: HostDriverSiteSettings, deadline: AbortSignal) => HostDriverAnswer<boolean>;
}

/**
 * Traffic of sites on a kind of server that counts it per month.
 *
 * @example
 * ```ts
 * const traffic: HostDriverTraffic = { ofMonth: () => ({ outcome: 'ok', value: 0 }) };
 * ```
 * @since 1.84.0
 */
export interface HostDriverTraffic {
  /** Returns the bytes a site sent in a month, `YYYY-MM` in the time zone of the installation. */
  ofMonth: (account: HostDriverAccount, month: string, deadline: AbortSignal) => HostDriverAnswer<number>;
}
