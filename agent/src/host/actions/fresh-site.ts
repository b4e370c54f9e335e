import type { SiteRecord } from '../records/site-record.js';

/** Initial data of a new site. */
export type FreshSite = Pick<SiteRecord, 'name' | 'user' | 'uid' | 'mark' | 'username' | 'quota' | 'expiresOn' | 'php'>;

/** Builds the record of a new site. */
export function freshSite(known: FreshSite): SiteRecord {
  return {
    ...known,
    siteId: known.user,
    suspended: false,
    stopped: false,
    isKept: false,
    isLeaving: false,
    restoredFrom: null,
    domains: [],
    settings: null,
    rewrites: '',
    certificate: null,
    sftp: { enabled: true, keys: [] },
    databases: [],
    commands: [],
  };
}
