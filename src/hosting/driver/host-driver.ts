import type { PortProblem } from './ports/port-problem.js';
import { portsOf, type SitePorts } from './ports/site-ports.js';
import type { BinPort } from './ports/bin.js';
import type { DomainsPort } from './ports/domains.js';
import type { FilesPort } from './ports/files.js';
import type { SiteSettingsPort } from './ports/site-settings.js';
import type { TrafficPort } from './ports/traffic.js';

/** What a kind of server can do; what it cannot is refused before it is asked. */
export type DriverCapability =
  'static' | 'php' | 'ssl' | 'files' | 'database' | 'ftp' | 'statistics' | 'domains' | 'traffic' | 'settings' | 'bin';

/** A server accounts live on, as its driver needs it. */
export interface DriverNode {
  /** `SVC_bt.btdh`. */
  readonly code: string;
  readonly address: string;
  readonly port: number;
  readonly secure: boolean;
  /** API key of the server's own panel: a secret. */
  readonly panelKey: string;
}

/**
 * What tells that nobody uses a site: no domain but the site's own is bound to it, or it has no file but the page every new site has.
 */
export type IdleSign = 'domain' | 'files';

/** Limits of a site; 0 is unlimited. */
export interface DriverQuota {
  /** MB. */
  readonly webMb: number;
  /** MB. */
  readonly databaseMb: number;
  /** GB per month. */
  readonly trafficGb: number;
  readonly domains: number;
}

/** A site on its server. */
export interface DriverAccount {
  readonly node: DriverNode;
  readonly username: string;
  /** Name of the site on the server, made by us: `[a-z0-9.]{1,64}`. */
  readonly siteName: string;
  /** What `create` answered; empty before. */
  readonly siteId: string;
  /** Never the same for two accounts; a site that carries another one is not this account's. */
  readonly ownerMark: string;
}

/** What a new site gets. */
export interface SiteSpecification extends DriverAccount {
  /**
   * Null when an interrupted creation is finished later: the panel keeps only a hash. A driver that cannot make the site
   * without it answers `refused`, and the creation is rolled back.
   */
  readonly password: string | null;
  readonly quota: DriverQuota;
  /** Last day `YYYY-MM-DD`; null never expires. */
  readonly expiresOn: string | null;
}

/** How the web site of an account that is not suspended is to stand. */
export type SiteSwitch = 'running' | 'stopped';

/** How a site stands on its server, the only source of truth for it. */
export interface SiteStatus {
  /** The web site answers. */
  readonly running: boolean;
  /** The account as a whole is out of service: site, FTP and whatever else the server gives it. */
  readonly suspended: boolean;
  readonly webUsedBytes: number;
  readonly databaseUsedBytes: number;
  readonly trafficUsedBytes: number;
}

/** A site a server has, whether an account here knows it or not. */
export interface RemoteSite {
  readonly siteName: string;
  readonly siteId: string;
  /** Null for a site that carries no mark of ours. */
  readonly ownerMark: string | null;
  readonly username: string;
  readonly running: boolean;
  readonly suspended: boolean;
}

/** Some of a server's sites. */
export interface RemotePage {
  readonly sites: readonly RemoteSite[];
  /** What `list` takes to go on; null after the last page. */
  readonly next: string | null;
}

/** What a server says of itself. */
export interface NodeProbe {
  readonly version: string;
  readonly system: string;
}

/**
 * How a call ended.
 * - `ok` it was done; `already` it was so before: both are success
 * - `not_found` the site is not on the server; for `terminate` this is success too
 * - `refused` the server said no; nothing changed; `message` is its text
 * - `unreachable` the call never reached the server; nothing changed
 * - `unknown` it may or may not have happened: `sync` comes before anything else
 */
export type DriverResult<Value = undefined> =
  | { readonly outcome: 'ok' | 'already'; readonly value: Value }
  | { readonly outcome: 'not_found' }
  | {
      readonly outcome: 'refused';
      readonly message: string;
      /** Of a port that can say why in a code; the message is the server's own text otherwise. */
      readonly problem?: PortProblem;
    }
  | { readonly outcome: 'unreachable' | 'unknown'; readonly message: string };

/** A success without a value. */
export const DONE: DriverResult = { outcome: 'ok', value: undefined };
/** A success that had nothing left to do. */
export const ALREADY: DriverResult = { outcome: 'already', value: undefined };

/**
 * What does the work on one kind of server. Every method is idempotent, gives up when `deadline` aborts, and tells how it
 * ended as a {@link DriverResult}; what it throws counts as `unknown`. Redirects are never followed.
 */
export abstract class HostDriver implements SitePorts {
  /** `SVC_bt.driver` of the nodes it serves. */
  abstract readonly type: string;
  /** What it can do that needs no port. */
  abstract readonly basics: ReadonlySet<DriverCapability>;
  readonly files?: FilesPort;
  readonly domains?: DomainsPort;
  readonly traffic?: TrafficPort;
  readonly settings?: SiteSettingsPort;
  /** There is one server of this kind at most: this machine itself. */
  readonly single: boolean = false;
  readonly bin?: BinPort;
  /** The signs of a site nobody uses that can be told on this kind of server. */
  readonly idleSigns: readonly IdleSign[] = [];
  /** Everything it can do: {@link basics}, and what it has a port for. */
  get capabilities(): ReadonlySet<DriverCapability> {
    return new Set([...this.basics, ...portsOf(this)]);
  }
  /** Whether the server answers and what it is. */
  abstract probe(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<NodeProbe>>;
  /** The same `ownerMark` twice is the same site; another site of that name is `refused`. */
  abstract create(site: SiteSpecification, deadline: AbortSignal): Promise<DriverResult<{ siteId: string }>>;
  /** Takes the whole account out of service. @param reason why, for the server's own records */
  abstract suspend(account: DriverAccount, reason: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Brings the account back, its web site as `site` says, whatever it was before. */
  abstract unsuspend(account: DriverAccount, site: SiteSwitch, deadline: AbortSignal): Promise<DriverResult>;
  /** Starts the web site and nothing else; never asked for a suspended account. */
  abstract start(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  /** Stops the web site and nothing else: files, database and FTP stay as they are. */
  abstract stop(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  /** @param expiresOn last day `YYYY-MM-DD`, null for never */
  abstract renew(account: DriverAccount, expiresOn: string | null, deadline: AbortSignal): Promise<DriverResult>;
  abstract changeQuota(account: DriverAccount, quota: DriverQuota, deadline: AbortSignal): Promise<DriverResult>;
  abstract changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Takes the site away for good, or keeps it where there is a {@link bin}. A site that carries another owner's mark is `refused`, never deleted. */
  abstract terminate(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  abstract sync(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteStatus>>;
  /** Which of {@link idleSigns} a site shows; where it is in doubt, none. */
  idle(_account: DriverAccount, _deadline: AbortSignal): Promise<DriverResult<readonly IdleSign[]>> {
    return Promise.resolve({ outcome: 'ok', value: [] });
  }
  /**
   * The sites of a node in a stable order, for taking over what is there and for finding what differs.
   *
   * @param cursor `next` of the page before; null for the first
   */
  abstract list(node: DriverNode, cursor: string | null, deadline: AbortSignal): Promise<DriverResult<RemotePage>>;
}
