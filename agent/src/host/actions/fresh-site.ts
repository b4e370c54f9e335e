import type { SiteRecord } from '../records/site-record.js';

/** What is known of a site when it is made. */
export type FreshSite = Pick<SiteRecord, 'name' | 'user' | 'uid' | 'mark' | 'username' | 'quota' | 'expiresOn' | 'php'>;

/** The record of a new site. */
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
