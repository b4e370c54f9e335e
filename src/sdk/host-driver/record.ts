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
 * A kind of server that a plugin adds. Every function is idempotent, gives up when `deadline` aborts, follows no redirects, and returns its
 * outcome as a {@link HostDriverResult}. Functions are called without `this`. `title`, `help`, and the labels and hints of fields may be
 * keys of the plugin's `lang` files. Source: docs/plugin-api.md "Host drivers".
 *
 * @example
 * ```ts
 * const sites = new Map<string, { mark: string; username: string; suspended: boolean; stopped: boolean }>();
 * const change = ({ siteName, ownerMark }: HostDriverAccount, to: object): HostDriverAnswer => {
 *   const site = sites.get(siteName);
 *   if (!site) return { outcome: 'not_found' };
 *   if (site.mark !== ownerMark) return { outcome: 'refused', message: 'This site belongs to another account.' };
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
  /** Name shown when choosing a kind of server. */
  title: string;
  /** How to get such a server; shown above the form. */
  help?: string;
  /** Fields of the server form besides the standard ones; at most 12, of at most 1,000 characters each. */
  fields?: HostDriverField[];
  /** Standard fields of a server that the driver uses; the others are marked as having no effect. None by default. */
  uses?: ('address' | 'port' | 'secure' | 'panelKey')[];
  /** Features that need no port: for example whether a limit on databases has any meaning there. */
  can?: ('static' | 'php' | 'database' | 'ftp')[];

  /** Checks whether the server responds, and returns what it is; called before the server is added. */
  probe: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<HostDriverProbe>;
  /** Creates a site. Repeating the same `ownerMark` returns the same site; a site with that name and another mark is `refused`. */
  create: (site: HostDriverSite, deadline: AbortSignal) => HostDriverAnswer<{ siteId: string }>;
  /**
   * Turns a site of {@link list} that has no owner in the panel into the site of an account: its files stay; mark, user name and last day
   * become the account's, and it is started. `site.siteName` is its existing name, `site.password` the new password. A site that no longer
   * carries the mark of `from` is `refused`; one that already belongs to the account is `already`. If omitted, sites of such servers cannot
   * be taken over.
   *
   * @since 1.84.0
   */
  adopt?: (site: HostDriverSite, from: HostDriverRemoteSite, deadline: AbortSignal) => HostDriverAnswer<{ siteId: string }>;
  /** Suspends the whole account. */
  suspend: (account: HostDriverAccount, reason: string, deadline: AbortSignal) => HostDriverAnswer;
  /** Ends the suspension, with the web site as `site` says, regardless of its previous state. */
  unsuspend: (account: HostDriverAccount, site: 'running' | 'stopped', deadline: AbortSignal) => HostDriverAnswer;
  /** Starts the web site and nothing else; never called for a suspended account. */
  start: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Stops the web site and nothing else. */
  stop: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Sets the expiry. `expiresOn`: last day `YYYY-MM-DD`, null for never. */
  renew: (account: HostDriverAccount, expiresOn: string | null, deadline: AbortSignal) => HostDriverAnswer;
  /** Sets the limits of a site. */
  changeQuota: (account: HostDriverAccount, quota: HostDriverQuota, deadline: AbortSignal) => HostDriverAnswer;
  /** Sets the password of the account, if the server has one. */
  changePassword: (account: HostDriverAccount, password: string, deadline: AbortSignal) => HostDriverAnswer;
  /**
   * Deletes the site permanently, or moves it to the {@link bin} if there is one. A site with another owner's mark is `refused`, never
   * deleted.
   */
  terminate: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Returns the current state of the site: the only source of truth, called whenever another call ended `unknown`. */
  sync: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<HostDriverStatus>;
  /** Lists the sites of a node in a stable order; `cursor` is `next` of the previous page, null for the first. */
  list: (node: HostDriverNode, cursor: string | null, deadline: AbortSignal) => HostDriverAnswer<HostDriverPage>;
  /** With `php` in {@link can}: returns the installed versions available to new sites, such as `74` and `82`, in any order. */
  phpVersions?: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<string[]>;

  /** Returns whether a site contains no file except the default page of a new site; if in doubt, false. */
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
