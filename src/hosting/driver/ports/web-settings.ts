import type { DriverAccount, DriverResult } from '../driver-types.js';

/** Redirects a path. */
export interface SiteRedirect {
  readonly id: string;
  /** Path from the web root; with `/*` at the end, everything below it, and the rest of the path is appended. */
  readonly from: string;
  /** Path of the site, or a URL with `http://` or `https://`. */
  readonly to: string;
  readonly status: 301 | 302;
}

/** A folder protected by user name and password. */
export interface FolderPassword {
  readonly name: string;
  /** Below the web root, without leading or trailing slashes; empty for the whole site. */
  readonly folder: string;
  readonly user: string;
  /** See `hashFolderPassword`. */
  readonly hash: string;
}

/** Hotlink protection for files. */
export interface HotlinkRule {
  readonly enabled: boolean;
  readonly suffixes: readonly string[];
  /** Sites that may embed them, besides the site's own names; `*.example.com` for all names below. */
  readonly domains: readonly string[];
  /** Whether requests without a referrer are allowed. */
  readonly allowEmpty: boolean;
  readonly status: 403 | 404;
}

/** How long browsers may cache files. */
export interface CacheRule {
  /** File extensions in lower case, without dots, separated by commas. */
  readonly suffix: string;
  /** A number with `s`, `m`, `h`, `d`, `M` (30 days) or `y`. */
  readonly time: string;
}

/** Compression of responses. */
export interface CompressionRule {
  readonly enabled: boolean;
  /** 1 to 9. */
  readonly level: number;
  /** Minimum size in bytes. */
  readonly minBytes: number;
  /** Content types. */
  readonly types: readonly string[];
}

/** Web settings of a site. */
export interface WebSettingsState {
  /** Index files; the first that exists is served. */
  readonly indexes: readonly string[];
  /** Folder served instead of the web root: below it, without leading or trailing slashes. */
  readonly runFolder: string;
  readonly redirects: readonly SiteRedirect[];
  readonly passwords: readonly FolderPassword[];
  readonly hotlink: HotlinkRule;
  readonly cache: readonly CacheRule[];
  readonly compression: CompressionRule;
  /** Paths of pages shown instead of the built-in error pages, by status. */
  readonly errorPages: Readonly<Partial<Record<'403' | '404' | '503', string>>>;
  /** Sent through a port of their own, see `RewritesPort`. */
  readonly rewrites: string;
}

/** Content types that are compressed by default. */
export const COMPRESSED_TYPES: readonly string[] = [
  'text/html',
  'text/plain',
  'text/css',
  'text/xml',
  'text/javascript',
  'application/javascript',
  'application/json',
  'application/xml',
  'application/manifest+json',
  'image/svg+xml',
];

/** Web settings of a site whose owner has set nothing. */
export const DEFAULT_WEB_SETTINGS: WebSettingsState = {
  indexes: ['index.html', 'index.htm'],
  runFolder: '',
  redirects: [],
  passwords: [],
  hotlink: { enabled: false, suffixes: ['jpg', 'jpeg', 'png', 'gif', 'webp'], domains: [], allowEmpty: true, status: 404 },
  cache: [],
  compression: { enabled: true, level: 6, minBytes: 1_024, types: COMPRESSED_TYPES },
  errorPages: {},
  rewrites: '',
};

/** Web settings of sites on a kind of server. The panel's rows are authoritative; the server always receives the complete settings. */
export interface WebSettingsPort {
  /** Settings this kind of server does not support: they are rejected before they are stored. */
  readonly cannot?: readonly (keyof WebSettingsState)[];
  /** Sets the settings of a site. `already` if unchanged. */
  apply(account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult>;
  /** Whether a site has exactly these settings; see {@link DomainsPort.matches}. */
  matches?(account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult<boolean>>;
}
