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

/** Capability of a kind of server; what it lacks is refused before it is asked. */
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

/**
 * What tells that nobody uses a site: no domain but the site's own is bound to it, or it has no file but the page every new site has.
 */
export type IdleSign = 'domain' | 'files';

/** How the web site of an account that is not suspended is to stand. */
export type SiteSwitch = 'running' | 'stopped';

/** A success without a value. */
export const DONE: DriverResult = { outcome: 'ok', value: undefined };
/** A success that had nothing left to do. */
export const ALREADY: DriverResult = { outcome: 'already', value: undefined };

/** Fields of a server that one kind uses and another does not, as `addbt` names them. */
export type NodeField = 'ip' | 'dk' | 'xieyi' | 'btos' | 'key';

/** Every one of them. */
export const NODE_FIELDS: readonly NodeField[] = ['ip', 'dk', 'xieyi', 'btos', 'key'];

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
  readonly settings?: WebSettingsPort;
  readonly statistics?: StatisticsPort;
  /** There is one server of this kind at most: this machine itself. */
  readonly single: boolean = false;
  /** A server of it can only be asked once it is set up with what the panel says after it was added: adding one asks nothing of it. */
  readonly comesLater: boolean = false;
  /** Which of a server's fields it uses; the others are kept and have no effect. */
  readonly nodeFields: readonly NodeField[] = NODE_FIELDS;
  /** What has to be known of a server besides. */
  readonly fields: readonly DriverField[] = [];
  /**
   * What of {@link fields} a server itself tells whoever is about to use it, where nobody has said it: the certificate it shows. It is
   * kept, and told to who adds the server.
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
  /** Passwords of a site that go along to another server of the same kind. */
  readonly credentials?: CredentialsPort;
  /** The signs of a site nobody uses that can be told on this kind of server. */
  readonly idleSigns: readonly IdleSign[] = [];
  /** What people choose the kind by. */
  abstract title(locale: Locale): string;
  /** What somebody does to have such a server; empty where there is nothing to say. */
  help(_locale: Locale): string {
    return '';
  }
  /** Everything it can do: {@link basics}, and what it has a port for. */
  get capabilities(): ReadonlySet<DriverCapability> {
    return new Set([...this.basics, ...portsOf(this)]);
  }
  /** Whether the server answers and what it is. */
  abstract probe(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<NodeProbe>>;
  /** The same `ownerMark` twice is the same site; another site of that name is `refused`. */
  abstract create(site: SiteSpecification, deadline: AbortSignal): Promise<DriverResult<{ siteId: string }>>;
  /**
   * Whether {@link create} could make a site with the names of an account; changes nothing. What its names do not allow is `refused`, with
   * the problem SERVER_NAME, SERVER_TAKEN or SITE_FOREIGN. A site that is the account's already fits. Kinds without it take any name.
   */
  readonly fits?: (account: DriverAccount, deadline: AbortSignal) => Promise<DriverResult>;
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
  /**
   * Takes the site away for good, or keeps it where there is a {@link bin}. A site that carries another owner's
   * mark is `refused`, never deleted.
   */
  abstract terminate(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  abstract sync(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteStatus>>;
  /**
   * Makes a site that nobody's account is the one of an account: its files stay, mark, name of the user and last day become the account's,
   * and it runs. One that does not carry the mark of `from` any more is `refused`; one that is the account's already is `already`. Kinds
   * without it hand no sites over.
   */
  readonly adopt?: (site: SiteSpecification, from: RemoteSite, deadline: AbortSignal) => Promise<DriverResult<{ siteId: string }>>;
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
