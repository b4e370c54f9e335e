import type { ActionArgs } from '../../../../src/agents/wire/actions.js';

/** A database of a site. */
export interface SiteDatabase {
  readonly name: string;
  /** From where its user may come besides this server. */
  readonly hosts: readonly string[];
  /** It is being dropped, and nobody gets at it any more. */
  readonly isLeaving?: boolean;
}

/** Who gets in by SFTP, and how. */
export interface SiteSftp {
  /** Nobody gets in while it is not, whatever password and keys there are. */
  readonly enabled: boolean;
  readonly keys: readonly string[];
}

/** What a site of this server is to be. The system is made to follow it; it is never read back from the system. */
export interface SiteRecord {
  readonly name: string;
  /** As it was answered when the site was made. */
  readonly siteId: string;
  /** Its system user, its group and the name of its folder: `svc` and 8 hex digits, never given twice. */
  readonly user: string;
  readonly uid: number;
  /** Whose it is. */
  readonly mark: string;
  /** Name of its user in the panel. */
  readonly username: string;
  readonly suspended: boolean;
  readonly stopped: boolean;
  /** In the bin: nothing of it is served, nobody gets in. */
  readonly isKept: boolean;
  /** Its system user and everything of it is being removed: it is finished at the next start. */
  readonly isLeaving: boolean;
  /** Site of the bin it was brought back from. */
  readonly restoredFrom: string | null;
  readonly expiresOn: string | null;
  readonly quota: ActionArgs<'site.create'>['quota'];
  /** Version of PHP; null for none. */
  readonly php: string | null;
  readonly domains: ActionArgs<'domains.apply'>['domains'];
  /** Null: nobody set any. */
  readonly settings: ActionArgs<'settings.apply'>['settings'] | null;
  readonly rewrites: string;
  /** Hash of chain and key, which lie beside; null for none. */
  readonly certificate: { readonly names: readonly string[]; readonly sha256: string; readonly forceHttps: boolean } | null;
  readonly sftp: SiteSftp;
  readonly databases: readonly SiteDatabase[];
  readonly commands: readonly ActionArgs<'commands.put'>['command'][];
}

/** What is left of a record once the system follows it: databases that were to go are gone. */
export function followed(site: SiteRecord): SiteRecord {
  const databases = site.databases.filter(({ isLeaving }) => !isLeaving);
  return databases.length === site.databases.length ? site : { ...site, databases };
}

/** Whether its web site answers with its files. */
export function isServed({ suspended, stopped, isKept, isLeaving }: SiteRecord): boolean {
  return !suspended && !stopped && !isKept && !isLeaving;
}

/** Whether anybody gets in by SFTP. */
export function hasSftp(site: SiteRecord): boolean {
  return isOpen(site) && site.sftp.enabled;
}

/** Whether its owner may do things here. */
export function isOpen({ suspended, isKept, isLeaving }: SiteRecord): boolean {
  return !suspended && !isKept && !isLeaving;
}
