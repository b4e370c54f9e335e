import type { ActionArgs } from '../../../../src/agents/wire/actions.js';

/** A database of a site. */
export interface SiteDatabase {
  readonly name: string;
  /** Hosts from which its user may connect, besides this server. */
  readonly hosts: readonly string[];
  /** Being dropped; no longer accessible. */
  readonly isLeaving?: boolean;
}

/** SFTP access of a site. */
export interface SiteSftp {
  /** False blocks all access, regardless of password and keys. */
  readonly enabled: boolean;
  readonly keys: readonly string[];
}

/** Desired state of a site. The system is made to match it; it is never read back from the system. */
export interface SiteRecord {
  readonly name: string;
  /** Id returned to the panel when the site was created. */
  readonly siteId: string;
  /** Name of its system user, group and folder: `svc` and 8 hex digits, never reused. */
  readonly user: string;
  readonly uid: number;
  /** Identifies the owning account. */
  readonly mark: string;
  /** Name of its owner in the panel. */
  readonly username: string;
  readonly suspended: boolean;
  readonly stopped: boolean;
  /** In the bin: not served, no access. */
  readonly isKept: boolean;
  /** Being removed; completed at the next start if interrupted. */
  readonly isLeaving: boolean;
  /** Name of the bin entry it was restored from. */
  readonly restoredFrom: string | null;
  readonly expiresOn: string | null;
  readonly quota: ActionArgs<'site.create'>['quota'];
  /** Version of PHP; null for none. */
  readonly php: string | null;
  readonly domains: ActionArgs<'domains.apply'>['domains'];
  /** Null if never set. */
  readonly settings: ActionArgs<'settings.apply'>['settings'] | null;
  readonly rewrites: string;
  /** Hash of chain and key, which are stored in files; null for none. */
  readonly certificate: { readonly names: readonly string[]; readonly sha256: string; readonly forceHttps: boolean } | null;
  readonly sftp: SiteSftp;
  readonly databases: readonly SiteDatabase[];
  readonly commands: readonly ActionArgs<'commands.put'>['command'][];
}

/** Returns the record after the system has applied it: without the dropped databases. */
export function withoutDropped(site: SiteRecord): SiteRecord {
  const databases = site.databases.filter(({ isLeaving }) => !isLeaving);
  return databases.length === site.databases.length ? site : { ...site, databases };
}

/** Whether the website is served. */
export function isServed({ suspended, stopped, isKept, isLeaving }: SiteRecord): boolean {
  return !suspended && !stopped && !isKept && !isLeaving;
}

/** Whether SFTP access is open. */
export function hasSftp(site: SiteRecord): boolean {
  return isOpen(site) && site.sftp.enabled;
}

/** Whether the owner may make changes. */
export function isOpen({ suspended, isKept, isLeaving }: SiteRecord): boolean {
  return !suspended && !isKept && !isLeaving;
}
