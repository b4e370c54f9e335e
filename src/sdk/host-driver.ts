import type { Readable } from 'node:stream';

import type { SettingsField } from './records.js';

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
 * const site: HostDriverRemoteSite = { siteName: 'svc.1', siteId: '7', ownerMark: null, username: 'alice01', running: true, suspended: false };
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

/**
 * Why a port refused, where that is known: a code of the port's own, so that the panel says it in its words.
 *
 * @example
 * ```ts
 * const problem: HostDriverProblem = { code: 'TAKEN', params: { name: 'index.html' } };
 * ```
 * @since 1.84.0
 */
export interface HostDriverProblem {
  readonly code: string;
  /** Values for the places of the words. */
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * How a call ended.
 * - `ok` it was done; `already` it was so before: both are success
 * - `not_found` the site is not on the server; for `terminate` this is success too
 * - `refused` the server said no; nothing changed; `message` is its text
 * - `unreachable` the call never reached the server; nothing changed
 * - `unknown` it may or may not have happened: the panel asks `sync` before anything else
 *
 * Whatever is thrown, and whatever is none of these, counts as `unknown`.
 *
 * @example
 * ```ts
 * const taken: HostDriverResult = { outcome: 'refused', message: 'This name is taken.' };
 * const made: HostDriverResult<{ siteId: string }> = { outcome: 'ok', value: { siteId: '7' } };
 * ```
 * @since 1.84.0
 */
export type HostDriverResult<Value = undefined> =
  | { readonly outcome: 'ok' | 'already'; readonly value: Value }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'refused'; readonly message: string; readonly problem?: HostDriverProblem }
  | { readonly outcome: 'unreachable' | 'unknown'; readonly message: string };

/**
 * What a function of a driver may answer; a success without a value may leave it out.
 *
 * @example
 * ```ts
 * const suspend: HostDriverRecord['suspend'] = (): HostDriverAnswer => ({ outcome: 'already' });
 * ```
 * @since 1.84.0
 */
export type HostDriverAnswer<Value = undefined> =
  | HostDriverResult<Value>
  | (Value extends undefined ? { readonly outcome: 'ok' | 'already' } : never)
  | Promise<HostDriverResult<Value> | (Value extends undefined ? { readonly outcome: 'ok' | 'already' } : never)>;

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
 *   apply: ({ siteName }, wanted) => ({ outcome: served.get(siteName) === served.set(siteName, JSON.stringify(wanted)).get(siteName) ? 'already' : 'ok' }),
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverSettings {
  /** Makes these the settings of a site. The same again is `already`. */
  apply: (account: HostDriverAccount, settings: HostDriverSiteSettings, deadline: AbortSignal) => HostDriverAnswer;
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

/**
 * Deleted sites on a kind of server that keeps them: `terminate` puts a site here, and it stays until `purge`. `kept` is what the account was
 * when it was deleted.
 *
 * @example
 * ```ts
 * const kept = new Set<string>();
 * const bin: HostDriverBin = {
 *   has: ({ siteName }) => ({ outcome: 'ok', value: kept.has(siteName) }),
 *   restore: ({ siteName }) => ({ outcome: kept.delete(siteName) ? 'ok' : 'already' }),
 *   purge: ({ siteName }) => (kept.delete(siteName) ? { outcome: 'ok' } : { outcome: 'not_found' }),
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverBin {
  /** Whether the site is here. */
  has: (kept: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<boolean>;
  /**
   * Makes what is kept the site of `account`, which `create` has just made on the same server, and empties its place here. The same again is
   * `already`; `not_found` where it is neither here nor there.
   */
  restore: (kept: HostDriverAccount, account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Destroys what is kept, for good. One that was cut short goes on where it stopped; `not_found` is success. */
  purge: (kept: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
}

/**
 * Counts what an account uses, whoever does it: a driver asks before it writes.
 *
 * @example
 * ```ts
 * const mayWrite = (space: HostDriverSpace, bytes: number): Promise<boolean> => space.take(bytes);
 * ```
 * @since 1.84.0
 */
export interface HostDriverSpace {
  /** Takes so many bytes. False, and takes nothing, where the account may not use as many. */
  take: (bytes: number) => Promise<boolean>;
  /** Gives bytes back that are not used any more. */
  giveBack: (bytes: number) => Promise<void>;
  /** Whether so many bytes could be taken now. */
  fits: (bytes: number) => Promise<boolean>;
}

/**
 * One thing in a folder of a site; `other` is a link, a pipe, a device, or a file with a second name somewhere.
 *
 * @example
 * ```ts
 * const page: HostDriverEntry = { name: 'index.html', type: 'file', size: 512, changedAt: Date.now() };
 * ```
 * @since 1.84.0
 */
export interface HostDriverEntry {
  /** Of what was looked for in folders below: the path from the folder that was asked for, without `/` at its beginning. */
  readonly name: string;
  readonly type: 'file' | 'folder' | 'other';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * What long work with files runs with.
 *
 * @example
 * ```ts
 * const step = ({ signal, progress }: HostDriverTurn, done: number): void => {
 *   signal.throwIfAborted();
 *   progress(done, 0);
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverTurn {
  /** Names the deed: an attempt that was interrupted is cleared away by the next one of the same name. */
  readonly id: string;
  readonly signal: AbortSignal;
  /** `total` is 0 where it is not known. */
  readonly progress: (done: number, total: number) => void;
}

/**
 * An upload: the same values are the same one, so that it goes on where it stopped.
 *
 * @example
 * ```ts
 * const nameOf = ({ folder, name, size, tag }: HostDriverUpload): string => JSON.stringify([folder, name, size, tag]);
 * ```
 * @since 1.84.0
 */
export interface HostDriverUpload {
  /** It must be there. */
  readonly folder: string;
  /** May hold `/`: folders in between are made. */
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** What else tells it from another file of that name and size. */
  readonly tag: string;
}

/**
 * Files of a site. Paths begin with `/` at the web root. Every call takes nothing for granted: paths and names are checked, no link, pipe or
 * device is followed, nothing outside the site is touched, and whatever ends a call in the middle, a file is there whole or not at all.
 *
 * A refusal has a `problem` with one of the codes of docs/plugin-api.md "Files of a driver".
 *
 * @example
 * ```ts
 * const find: HostDriverFiles['find'] = (_account, path) =>
 *   path === '/' ? { outcome: 'ok', value: { name: '', type: 'folder', size: 0, changedAt: 0 } } : { outcome: 'refused', message: '', problem: { code: 'MISSING' } };
 * ```
 * @since 1.84.0
 */
export interface HostDriverFiles {
  /** A part of a folder, folders first; `text` is a part of a name, in any case: all folders below are looked through too. */
  list: (
    account: HostDriverAccount,
    wanted: {
      readonly folder: string;
      readonly sort: 'name' | 'size' | 'changed';
      readonly descending: boolean;
      readonly offset: number;
      readonly limit: number;
      readonly text?: string;
    },
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly total: number; readonly entries: readonly HostDriverEntry[]; readonly cut: boolean }>;
  /** What stands at a path. */
  find: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer<HostDriverEntry>;
  /** A whole file of at most `most` bytes; `version` is opaque, another one after each change. */
  read: (
    account: HostDriverAccount,
    path: string,
    most: number,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly bytes: Buffer; readonly version: string; readonly changedAt: number }>;
  /** A file as it is sent to somebody; whoever asks ends the stream. */
  open: (
    account: HostDriverAccount,
    path: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly size: number; readonly content: Readable }>;
  /** Bytes of a file, or of all files in a folder. */
  size: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer<number>;
  /** `isNew`: nothing may stand there yet, else a file must; `version`: of what is replaced, another one is `CHANGED`. */
  write: (
    account: HostDriverAccount,
    file: { readonly path: string; readonly bytes: Buffer; readonly isNew: boolean; readonly version?: string },
    space: HostDriverSpace,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly version: string; readonly changedAt: number }>;
  /** Makes one folder; the one above must be there. */
  makeFolder: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer;
  /** Gives something in `folder` another name; none that stands there already. */
  rename: (account: HostDriverAccount, folder: string, from: string, to: string, deadline: AbortSignal) => HostDriverAnswer;
  /** All of them, or none. Answers how many. */
  move: (
    account: HostDriverAccount,
    wanted: { readonly from: string; readonly names: readonly string[]; readonly to: string },
    deadline: AbortSignal,
  ) => HostDriverAnswer<number>;
  /** Into the trash; what is gone already is passed over. Answers how many there were. */
  discard: (account: HostDriverAccount, paths: readonly string[], deadline: AbortSignal) => HostDriverAnswer<number>;
  /** How far an upload is. */
  uploaded: (
    account: HostDriverAccount,
    target: HostDriverUpload,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly received: number; readonly done: boolean }>;
  /** Takes a piece that begins where the last one ended; of another it says where that is. What stood there goes to the trash. */
  upload: (
    account: HostDriverAccount,
    target: HostDriverUpload,
    offset: number,
    piece: Buffer,
    space: HostDriverSpace,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly received: number; readonly done: boolean }>;
  /** Ends an upload and gives its space back; one there is not is `already`. */
  cancelUpload: (account: HostDriverAccount, target: HostDriverUpload, space: HostDriverSpace, deadline: AbortSignal) => HostDriverAnswer;
  /** Copies files and folders; what stands there keeps its name, and the copy gets another. */
  copy: (
    account: HostDriverAccount,
    wanted: { readonly from: string; readonly names: readonly string[]; readonly to: string },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** The end of `archive` says which kind it is: `.zip`, `.tar.gz` or `.tgz`. */
  pack: (
    account: HostDriverAccount,
    wanted: { readonly folder: string; readonly names: readonly string[]; readonly archive: string },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** Everything or nothing; files of the same name are replaced. */
  unpack: (
    account: HostDriverAccount,
    wanted: { readonly archive: string; readonly folder: string; readonly encoding?: 'utf-8' | 'gbk' },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** The last thrown away first. */
  trash: (
    account: HostDriverAccount,
    offset: number,
    limit: number,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{
    readonly total: number;
    readonly entries: readonly {
      readonly id: string;
      readonly path: string;
      readonly type: 'file' | 'folder' | 'other';
      readonly size: number;
      readonly deletedAt: number;
    }[];
  }>;
  /** Puts things back where they lay, beside what stands there now under another name. Answers where each is. */
  restore: (account: HostDriverAccount, ids: readonly string[], deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /** Removes for good, all of the trash where nothing is named. Answers how many. */
  purge: (
    account: HostDriverAccount,
    chosen: { readonly ids?: readonly string[]; readonly before?: number },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<number>;
  /** Clears away what nobody goes on with: uploads and deeds whose last sign of life is older, milliseconds since 1970. */
  tidy: (account: HostDriverAccount, before: number, space: HostDriverSpace, deadline: AbortSignal) => HostDriverAnswer;
}

/**
 * A kind of server a plugin brings. Every function is idempotent, gives up when `deadline` aborts, follows no redirects, and tells how it ended as
 * a {@link HostDriverResult}. Functions are called without `this`. `title`, `help`, and labels and hints of the fields may be keys of the
 * plugin's `lang` files. Source: docs/plugin-api.md "Host drivers".
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
  can?: ('static' | 'php' | 'ssl' | 'database' | 'ftp')[];

  /** Whether the server answers and what it is; asked before it is added. */
  probe: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<HostDriverProbe>;
  /** The same `ownerMark` twice is the same site; another site of that name is `refused`. */
  create: (site: HostDriverSite, deadline: AbortSignal) => HostDriverAnswer<{ siteId: string }>;
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
  /** Takes the site away for good, or keeps it where there is a {@link bin}. A site that carries another owner's mark is `refused`, never deleted. */
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
}
