import type { Locale } from '../../common/index.js';

import type { DriverField, DriverSettings } from './driver-fields.js';
import type {
  DriverAccount,
  DriverNode,
  RemotePage,
  NodeProbe,
  DriverQuota,
  RemoteSite,
  DriverResult,
  SiteSpecification,
  SiteStatus,
} from './driver-types.js';
import { portsOf, type SitePorts } from './ports/site-ports.js';
import type { AccessPort } from './ports/access.js';
import type { BackupsPort } from './ports/backups.js';
import type { BinPort } from './ports/bin.js';
import type { CertificatesPort } from './ports/certificates.js';
import type { CommandsPort } from './ports/commands.js';
import type { CredentialsPort } from './ports/credentials.js';
import type { DatabasePort } from './ports/database.js';
import type { DomainsPort } from './ports/domains.js';
import type { FilesPort } from './ports/files.js';
import type { PhpPort } from './ports/php.js';
import type { RewritesPort } from './ports/rewrites.js';
import type { WebSettingsPort } from './ports/web-settings.js';
import type { StatisticsPort } from './ports/statistics.js';
import type { TrafficPort } from './ports/traffic.js';

export type * from './driver-types.js';

/** Capability of a kind of server; requests for others are rejected without calling it. */
export type DriverCapability =
  | 'static'
  | 'php'
  | 'files'
  | 'database'
  | 'ftp'
  | 'access'
  | 'commands'
  | 'statistics'
  | 'domains'
  | 'traffic'
  | 'settings'
  | 'rewrites'
  | 'bin'
  | 'backups'
  | 'certificates';

/** Signs that a site is unused: it has no domain but its own, or no file but the page of a new site. */
export type IdleSign = 'domain' | 'files';

/** Whether the web site of an account that is not suspended runs. */
export type SiteSwitch = 'running' | 'stopped';

/** A success without a value. */
export const DONE: DriverResult = { outcome: 'ok', value: undefined };
/** A success with nothing left to do. */
export const ALREADY: DriverResult = { outcome: 'already', value: undefined };

/** Fields of a server that only some kinds use, as named by `addbt`. */
export type NodeField = 'ip' | 'dk' | 'xieyi' | 'btos' | 'key';

/** All of them. */
export const NODE_FIELDS: readonly NodeField[] = ['ip', 'dk', 'xieyi', 'btos', 'key'];

/**
 * Does the work on one kind of server. Every method is idempotent, aborts with `deadline` and reports its outcome as a {@link
 * DriverResult}; an exception counts as `unknown`. Redirects are never followed.
 */
export abstract class HostDriver implements SitePorts {
  /** `SVC_bt.driver` of the nodes it serves. */
  abstract readonly type: string;
  /** Capabilities that need no port. */
  abstract readonly basics: ReadonlySet<DriverCapability>;
  readonly files?: FilesPort;
  readonly domains?: DomainsPort;
  readonly traffic?: TrafficPort;
  readonly settings?: WebSettingsPort;
  readonly statistics?: StatisticsPort;
  /** Whether at most one server of this kind can exist: this machine. */
  readonly single: boolean = false;
  /** Whether a server is set up only after it was added, with data from the panel; adding it then makes no call to it. */
  readonly comesLater: boolean = false;
  /** The server fields it uses; the others are stored without effect. */
  readonly nodeFields: readonly NodeField[] = NODE_FIELDS;
  /** Additional settings of a server. */
  readonly fields: readonly DriverField[] = [];
  /**
   * Reads {@link fields} that were left empty from the server itself, such as its certificate. The values are stored and shown to the
   * administrator who adds the server.
   */
  readonly learn?: (node: DriverNode, deadline: AbortSignal) => Promise<DriverResult<DriverSettings>>;
  readonly bin?: BinPort;
  readonly backups?: BackupsPort;
  readonly certificates?: CertificatesPort;
  readonly php?: PhpPort;
  readonly database?: DatabasePort;
  readonly access?: AccessPort;
  readonly commands?: CommandsPort;
  readonly rewrites?: RewritesPort;
  /** Passwords of a site that can be transferred to another server of the same kind. */
  readonly credentials?: CredentialsPort;
  /** Signs of an unused site that this kind of server can report. */
  readonly idleSigns: readonly IdleSign[] = [];
  /** Name of the kind in lists. */
  abstract title(locale: Locale): string;
  /** Instructions for setting up such a server; empty for none. */
  help(_locale: Locale): string {
    return '';
  }
  /** All capabilities: {@link basics} and the ports. */
  get capabilities(): ReadonlySet<DriverCapability> {
    return new Set([...this.basics, ...portsOf(this)]);
  }
  /** Checks whether the server answers, and returns what it is. */
  abstract probe(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<NodeProbe>>;
  /** Idempotent for the same `ownerMark`; another site of that name is `refused`. */
  abstract create(site: SiteSpecification, deadline: AbortSignal): Promise<DriverResult<{ siteId: string }>>;
  /**
   * Checks whether {@link create} could create a site with the names of an account, without changing anything. Otherwise it is `refused`
   * with the problem SERVER_NAME, SERVER_TAKEN or SITE_FOREIGN. The account's own existing site passes. Kinds without it accept any name.
   */
  readonly fits?: (account: DriverAccount, deadline: AbortSignal) => Promise<DriverResult>;
  /** Suspends the whole account. @param reason for the server's own records */
  abstract suspend(account: DriverAccount, reason: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Unsuspends the account; afterwards its web site is in the state `site`, whatever it was before. */
  abstract unsuspend(account: DriverAccount, site: SiteSwitch, deadline: AbortSignal): Promise<DriverResult>;
  /** Starts only the web site; never called for a suspended account. */
  abstract start(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  /** Stops only the web site: files, database and FTP are not affected. */
  abstract stop(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  /** @param expiresOn last day `YYYY-MM-DD`, null for never */
  abstract renew(account: DriverAccount, expiresOn: string | null, deadline: AbortSignal): Promise<DriverResult>;
  abstract changeQuota(account: DriverAccount, quota: DriverQuota, deadline: AbortSignal): Promise<DriverResult>;
  abstract changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Deletes the site permanently, or keeps it if there is a {@link bin}. A site with another owner's mark is `refused`, never deleted. */
  abstract terminate(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  abstract sync(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteStatus>>;
  /**
   * Assigns a site without an account to an account: its files stay, its mark, user name and last day become the account's, and it runs. A
   * site that no longer carries the mark of `from` is `refused`; one that already belongs to the account is `already`. Kinds without it do
   * not support adoption.
   */
  readonly adopt?: (site: SiteSpecification, from: RemoteSite, deadline: AbortSignal) => Promise<DriverResult<{ siteId: string }>>;
  /** Returns the signs of {@link idleSigns} a site shows; none if in doubt. */
  idle(_account: DriverAccount, _deadline: AbortSignal): Promise<DriverResult<readonly IdleSign[]>> {
    return Promise.resolve({ outcome: 'ok', value: [] });
  }
  /**
   * Lists the sites of a node in a stable order, for adoption and comparison.
   *
   * @param cursor `next` of the previous page; null for the first
   */
  abstract list(node: DriverNode, cursor: string | null, deadline: AbortSignal): Promise<DriverResult<RemotePage>>;
}
