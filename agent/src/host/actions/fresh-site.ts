import type { SiteRecord } from '../sites/site-record.js';

/** What is known of a site when it is made. */
export interface FreshSite extends Pick<SiteRecord, 'name' | 'user' | 'uid' | 'mark' | 'username' | 'quota' | 'expiresOn' | 'php'> {
  readonly hasPassword: boolean;
}

/** The record of a new site. */
export function freshSite({ hasPassword, ...known }: FreshSite): SiteRecord {
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
    sftp: { enabled: true, hasPassword, keys: [] },
    databases: [],
    commands: [],
  };
}
