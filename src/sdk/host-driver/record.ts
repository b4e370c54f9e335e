import type { HostDriverAnswer } from './answers.js';
import type { HostDriverBackups } from './backups.js';
import type { HostDriverBin } from './bin.js';
import type { HostDriverCertificates } from './certificates.js';
import type { HostDriverFiles } from './files.js';
import type {
  HostDriverAccount,
  HostDriverField,
  HostDriverNode,
  HostDriverPage,
  HostDriverProbe,
  HostDriverQuota,
  HostDriverRemoteSite,
  HostDriverSite,
  HostDriverStatus,
} from './server.js';
import type { HostDriverDomains, HostDriverSettings, HostDriverTraffic } from './serving.js';
import type { HostDriverStatistics } from './statistics.js';

/**
 * A kind of server a plugin brings. Every function is idempotent, gives up when `deadline` aborts, follows no redirects, and tells how it
 * ended as a {@link HostDriverResult}. Functions are called without `this`. `title`, `help`, and labels and hints of the fields may be keys
 * of the plugin's `lang` files. Source: docs/plugin-api.md "Host drivers".
 *
 * @example
 * ```ts
 * const sites = new Map<string, { mark: string; username: string; suspended: boolean; stopped: boolean }>();
 * const change = ({ siteName, ownerMark }: HostDriverAccount, to: object): HostDriverAnswer => {
 *   const site = sites.get(siteName);
 *   if (!site) return { outcome: 'not_found' };
 *   if (site.mark !== ownerMark) return { outcome: 'refused', message: 'This site is somebody else’s.' };
 *   const next = { ...site, ...to };
 *   sites.set(siteName, next);
 *   return { outcome: JSON.stringify(site) === JSON.stringify(next) ? 'already' : 'ok' };
 * };
 * const memory: HostDriverRecord = {
 *   title: 'Memory',
 *   probe: () => ({ outcome: 'ok', value: { version: '1', system: 'memory' } }),
 *   create({ siteName, ownerMark, username }) {
 *     const there = sites.get(siteName);
 *     if (there && there.mark !== ownerMark) return { outcome: 'refused', message: 'This name is taken.' };
 *     if (!there) sites.set(siteName, { mark: ownerMark, username, suspended: false, stopped: false });
 *     return { outcome: there ? 'already' : 'ok', value: { siteId: siteName } };
 *   },
 *   suspend: (account) => change(account, { suspended: true }),
 *   unsuspend: (account, to) => change(account, { suspended: false, stopped: to === 'stopped' }),
 *   start: (account) => change(account, { stopped: false }),
 *   stop: (account) => change(account, { stopped: true }),
 *   renew: (account) => change(account, {}),
 *   changeQuota: (account) => change(account, {}),
 *   changePassword: (account) => change(account, {}),
 *   terminate(account) {
 *     const ended = change(account, {});
 *     sites.delete(account.siteName);
 *     return ended;
 *   },
 *   sync({ siteName }) {
 *     const site = sites.get(siteName);
 *     if (!site) return { outcome: 'not_found' };
 *     const running = !site.suspended && !site.stopped;
 *     return { outcome: 'ok', value: { running, suspended: site.suspended, webUsedBytes: 0, databaseUsedBytes: 0 } };
 *   },
 *   list: () => ({ outcome: 'ok', value: { sites: [], next: null } }),
 * };
 * svc.svc_register_host_driver('memory', memory);
 * ```
 * @since 1.84.0
 */
export interface HostDriverRecord {
  /** What people choose it by. */
  title: string;
  /** What somebody does to have such a server, above the form. */
  help?: string;
  /** What has to be known of a server besides what every server has; at most 12, of at most 1,000 characters each. */
  fields?: HostDriverField[];
  /** Which of a server's own fields it uses: the others are marked as without effect there. None where nothing is given. */
  uses?: ('address' | 'port' | 'secure' | 'panelKey')[];
  /** What it can do that needs no port: what a limit on databases, say, means there. */
  can?: ('static' | 'php' | 'database' | 'ftp')[];

  /** Whether the server answers and what it is; asked before it is added. */
  probe: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<HostDriverProbe>;
  /** The same `ownerMark` twice is the same site; another site of that name is `refused`. */
  create: (site: HostDriverSite, deadline: AbortSignal) => HostDriverAnswer<{ siteId: string }>;
  /**
   * Makes a site of {@link list} that is nobody's in the panel the one of an account: its files stay, mark, name of the user and
   * last day become the account's, and it runs. `site.siteName` is the name it has already, `site.password` the new one. One that
   * does not carry the mark of `from` any more is `refused`; one that is the account's already is `already`. Without it sites of
   * such servers cannot be taken over.
   *
   * @since 1.84.0
   */
  adopt?: (site: HostDriverSite, from: HostDriverRemoteSite, deadline: AbortSignal) => HostDriverAnswer<{ siteId: string }>;
  /** Takes the whole account out of service. */
  suspend: (account: HostDriverAccount, reason: string, deadline: AbortSignal) => HostDriverAnswer;
  /** Brings the account back, its web site as `site` says, whatever it was before. */
  unsuspend: (account: HostDriverAccount, site: 'running' | 'stopped', deadline: AbortSignal) => HostDriverAnswer;
  /** Starts the web site and nothing else; never asked for a suspended account. */
  start: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Stops the web site and nothing else. */
  stop: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** `expiresOn`: last day `YYYY-MM-DD`, null for never. */
  renew: (account: HostDriverAccount, expiresOn: string | null, deadline: AbortSignal) => HostDriverAnswer;
  /** Tells the limits a site has from now on. */
  changeQuota: (account: HostDriverAccount, quota: HostDriverQuota, deadline: AbortSignal) => HostDriverAnswer;
  /** Sets the password of the account, where the server knows one. */
  changePassword: (account: HostDriverAccount, password: string, deadline: AbortSignal) => HostDriverAnswer;
  /**
   * Takes the site away for good, or keeps it where there is a {@link bin}. A site that carries another owner's
   * mark is `refused`, never deleted.
   */
  terminate: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** How the site stands now: the only source of truth, asked whenever a call ended `unknown`. */
  sync: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<HostDriverStatus>;
  /** The sites of a node in a stable order; `cursor` is `next` of the page before, null for the first. */
  list: (node: HostDriverNode, cursor: string | null, deadline: AbortSignal) => HostDriverAnswer<HostDriverPage>;
  /** With `php` among {@link can}: installed versions new sites can use, such as `74` and `82`, in any order. */
  phpVersions?: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<string[]>;

  /** Whether a site has no file but the page every new site has; a site in doubt is used. */
  idle?: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<boolean>;

  files?: HostDriverFiles;
  domains?: HostDriverDomains;
  settings?: HostDriverSettings;
  traffic?: HostDriverTraffic;
  bin?: HostDriverBin;
  certificates?: HostDriverCertificates;
  statistics?: HostDriverStatistics;
  backups?: HostDriverBackups;
}
