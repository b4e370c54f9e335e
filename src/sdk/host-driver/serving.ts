import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';

/**
 * A domain of a site as its server is to serve it.
 *
 * @example
 * ```ts
 * const shop: HostDriverDomain = { name: 'shop.example.com', folder: 'shop' };
 * ```
 * @since 1.84.0
 */
export interface HostDriverDomain {
  /** In lower case and punycode, such as `www.example.com`; `*.example.com` stands for every name of one label more. */
  readonly name: string;
  /** Folder it shows, below the web root and without slashes around it; empty for the web root. */
  readonly folder: string;
}

/**
 * Domains of sites on a kind of server. The panel's rows are the truth; the server is told the whole of what it is to have.
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
  /** Makes these the domains of a site, besides the name it has of its own. The same again is `already`. */
  apply: (account: HostDriverAccount, domains: readonly HostDriverDomain[], deadline: AbortSignal) => HostDriverAnswer;
  /** Whether a site has just these, which **Compare and repair** asks; it changes nothing. Without it they are not compared. */
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
  /** Files that stand for a folder, the first that is there. */
  readonly indexes: readonly string[];
  /** What is served instead of the web root, below it and without slashes around it. */
  readonly runFolder: string;
  /** `from`: a path, with `/*` at its end everything below it; `to`: a path of the site or an address. */
  readonly redirects: readonly { readonly id: string; readonly from: string; readonly to: string; readonly status: 301 | 302 }[];
  /** Folders that ask for a name and a password; `hash` is the panel's own. */
  readonly passwords: readonly { readonly name: string; readonly folder: string; readonly user: string; readonly hash: string }[];
  /** Which files other sites may not show. */
  readonly hotlink: {
    readonly enabled: boolean;
    readonly suffixes: readonly string[];
    readonly domains: readonly string[];
    readonly allowEmpty: boolean;
    readonly status: 403 | 404;
  };
  /** How long browsers may keep files: a number with `s`, `m`, `h`, `d`, `M` (30 days) or `y`. */
  readonly cache: readonly { readonly suffix: string; readonly time: string }[];
  readonly compression: { readonly enabled: boolean; readonly level: number; readonly minBytes: number; readonly types: readonly string[] };
  /** Paths of pages shown instead of the built-in ones, by status. */
  readonly errorPages: Readonly<Partial<Record<'403' | '404' | '503', string>>>;
}

/**
 * How sites of a kind of server are served. The panel's rows are the truth; the server is told the whole of it.
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
  /** Makes these the settings of a site. The same again is `already`. */
  apply: (account: HostDriverAccount, settings: HostDriverSiteSettings, deadline: AbortSignal) => HostDriverAnswer;
  /** Whether a site has just these, which **Compare and repair** asks; it changes nothing. Without it they are not compared. */
  matches?: (account: HostDriverAccount, settings: HostDriverSiteSettings, deadline: AbortSignal) => HostDriverAnswer<boolean>;
}

/**
 * Traffic of sites on a kind of server that counts it by the month.
 *
 * @example
 * ```ts
 * const traffic: HostDriverTraffic = { ofMonth: () => ({ outcome: 'ok', value: 0 }) };
 * ```
 * @since 1.84.0
 */
export interface HostDriverTraffic {
  /** Bytes a site sent in a month, `YYYY-MM` in the zone of the installation. */
  ofMonth: (account: HostDriverAccount, month: string, deadline: AbortSignal) => HostDriverAnswer<number>;
}
