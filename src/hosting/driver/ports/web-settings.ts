import type { DriverAccount, DriverResult } from '../driver-types.js';

/** Leads visitors of a path elsewhere. */
export interface SiteRedirect {
  readonly id: string;
  /** Path from the web root; with `/*` at its end everything below it, whose rest is carried over. */
  readonly from: string;
  /** Path of the site, or an address with `http://` or `https://`. */
  readonly to: string;
  readonly status: 301 | 302;
}

/** A folder that asks for a name and a password. */
export interface FolderPassword {
  readonly name: string;
  /** Below the web root, without slashes around it; empty: all of the site. */
  readonly folder: string;
  readonly user: string;
  /** See `hashFolderPassword`. */
  readonly hash: string;
}

/** Which files other sites may not show. */
export interface HotlinkRule {
  readonly enabled: boolean;
  readonly suffixes: readonly string[];
  /** Sites that may, besides the site's own names; `*.example.com` for all below. */
  readonly domains: readonly string[];
  /** Visitors whose browser does not say where they come from may. */
  readonly allowEmpty: boolean;
  readonly status: 403 | 404;
}

/** How long browsers may keep files. */
export interface CacheRule {
  /** In lower case, without dots, with commas between. */
  readonly suffix: string;
  /** A number with `s`, `m`, `h`, `d`, `M` (30 days) or `y`. */
  readonly time: string;
}

/** Rule for the compression of responses. */
export interface CompressionRule {
  readonly enabled: boolean;
  /** 1 to 9. */
  readonly level: number;
  /** Bytes from which on. */
  readonly minBytes: number;
  /** Types of content. */
  readonly types: readonly string[];
}

/** How a site is served. */
export interface WebSettingsState {
  /** Files that stand for a folder, the first that is there. */
  readonly indexes: readonly string[];
  /** What is served instead of the web root, below it and without slashes around it. */
  readonly runFolder: string;
  readonly redirects: readonly SiteRedirect[];
  readonly passwords: readonly FolderPassword[];
  readonly hotlink: HotlinkRule;
  readonly cache: readonly CacheRule[];
  readonly compression: CompressionRule;
  /** Paths of pages shown instead of the built-in ones, by status. */
  readonly errorPages: Readonly<Partial<Record<'403' | '404' | '503', string>>>;
  /** Told by the port of their own, see `RewritesPort`. */
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

/** How a site is served whose owner has set nothing. */
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

/** How sites of a kind of server are served. The panel's rows are the truth; the server is told the whole of it. */
export interface WebSettingsPort {
  /** What of the settings this kind of server cannot have: it is refused before it is kept. */
  readonly cannot?: readonly (keyof WebSettingsState)[];
  /** Makes these the settings of a site. The same again is `already`. */
  apply(account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult>;
  /** Whether a site has just these; as of domains. */
  matches?(account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult<boolean>>;
}
