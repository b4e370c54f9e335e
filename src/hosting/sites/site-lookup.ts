import { Injectable } from '@nestjs/common';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { isExpired } from '../calendar.js';
import type { AccountState } from '../entities/index.js';

/** How a site stands for its visitors. */
export type SiteAnswer =
  { readonly kind: 'open'; readonly siteName: string } | { readonly kind: 'unknown' | 'paused' | 'stopped' | 'expired' | 'provisioning' };

/** Longest Host header anybody can mean: a name, its trailing dot and a port. */
const LONGEST_HOST = 253 + 1 + 6;
const HOST = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?)\.?(?::\d{1,5})?$/;
const UNKNOWN: SiteAnswer = { kind: 'unknown' };

/** Finds the site a request is for. Asked for every request: what the row says counts at once. */
@Injectable()
export class SiteLookup {
  private readonly find;

  constructor(
    database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.find = database.statement<{ state: AccountState; siteName: string; expiresOn: string | null; siteStopped: number }>(
      `SELECT account.{HostingAccount.state} AS state, account.{HostingAccount.siteName} AS siteName,
        account.{HostingAccount.expiresOn} AS expiresOn, account.{HostingAccount.siteStopped} AS siteStopped
       FROM {HostingAccount} account JOIN {HostingNode} node ON node.{HostingNode.code} = account.{HostingAccount.nodeCode}
       WHERE account.{HostingAccount.userKey} = ? AND node.{HostingNode.driver} = 'embedded'`,
    );
  }

  /** @param host the Host header as it came */
  async byHost(host: string | undefined): Promise<SiteAnswer> {
    const name = hostName(host);
    const under = `.${this.config.sitesDomain}`;
    if (name === null || !name.endsWith(under)) return UNKNOWN;
    const row = await this.find.get(name.slice(0, -under.length));
    if (!row || row.state === 'terminating' || row.state === 'failed') return UNKNOWN;
    if (row.state === 'provisioning') return { kind: 'provisioning' };
    const today = legacyDay(this.clock.now(), this.config.timezone);
    if (isExpired(row.expiresOn, today)) return { kind: 'expired' };
    if (row.state === 'paused') return { kind: 'paused' };
    return row.siteStopped ? { kind: 'stopped' } : { kind: 'open', siteName: row.siteName };
  }
}

/** The name a Host header names: in lower case, without port and trailing dot; null for one no site can have. */
function hostName(host: string | undefined): string | null {
  if (host === undefined || host.length > LONGEST_HOST) return null;
  return HOST.exec(host.toLowerCase())?.[1] ?? null;
}
