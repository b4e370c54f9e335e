import { Injectable } from '@nestjs/common';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { isExpired, isHeld, lastDayOf } from '../calendar.js';
import type { AccountState } from '../entities/index.js';
import { TrafficMeter } from '../traffic/index.js';

/** Bytes per GB of a traffic quota. */
const BYTES_PER_GB = 1024 ** 3;

/** Result of looking up a site. */
export type SiteAnswer = { readonly kind: 'unknown' } | FoundSite;

/** An existing site: `open`, or why it is not served. */
export interface FoundSite {
  readonly kind: 'open' | 'paused' | 'stopped' | 'expired' | 'provisioning' | 'traffic';
  readonly accountId: number;
  readonly siteName: string;
  /** Folder below the web root that the name serves; empty for the site's default. */
  readonly folder: string;
  /** Version of the web settings, see {@link SiteRules}. */
  readonly settingsVersion: string | null;
  /** The requested name, in lower case and without port. */
  readonly name: string;
  /** Version of the certificate, see {@link SiteCertificates}; null if there is none. */
  readonly certificateVersion: string | null;
  /** Whether visitors are redirected to `https://`. */
  readonly forceHttps: boolean;
}

interface SiteRow {
  /** Name of the domain; null for a site found by its own name only. */
  readonly name: string | null;
  readonly accountId: number;
  readonly trafficQuotaGb: number;
  readonly trafficUsedBytes: number | string;
  readonly trafficMonth: string;
  readonly state: AccountState;
  readonly siteName: string;
  readonly expiresOn: string | null;
  readonly graceDays: number;
  readonly holdUntil: string | null;
  readonly siteStopped: number;
  readonly folder: string | null;
  readonly settingsVersion: string | null;
  readonly certificateVersion: string | null;
  readonly forceHttps: number | null;
}

/** Maximum length of a valid Host header: a name, its trailing dot and a port. */
const MAX_HOST_LENGTH = 253 + 1 + 6;
const HOST = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?)\.?(?::\d{1,5})?$/;
const UNKNOWN: SiteAnswer = { kind: 'unknown' };

/**
 * Finds the site of a request with one indexed statement. Runs for every request, so that changes of the rows take effect immediately in
 * every process.
 */
@Injectable()
export class SiteLookup {
  private readonly findByUser;
  private readonly findByDomain;

  constructor(
    database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly meter: TrafficMeter,
  ) {
    const columns = `domain.{SiteDomain.name} AS name, account.{HostingAccount.state} AS state,
      account.{HostingAccount.siteName} AS siteName,
        account.{HostingAccount.expiresOn} AS expiresOn, account.{HostingAccount.graceDays} AS graceDays,
        account.{HostingAccount.holdUntil} AS holdUntil, account.{HostingAccount.siteStopped} AS siteStopped,
        account.{HostingAccount.id} AS accountId, account.{HostingAccount.trafficQuotaGb} AS trafficQuotaGb,
        account.{HostingAccount.trafficUsedBytes} AS trafficUsedBytes, account.{HostingAccount.trafficMonth} AS trafficMonth,
        domain.{SiteDomain.folder} AS folder, setting.{HostWebSettings.version} AS settingsVersion,
        certificate.{SiteCertificate.version} AS certificateVersion, certificate.{SiteCertificate.forceHttps} AS forceHttps`;
    const embedded = `JOIN {HostingNode} node ON node.{HostingNode.code} = account.{HostingAccount.nodeCode}
      AND node.{HostingNode.driver} = 'embedded'
        LEFT JOIN {HostWebSettings} setting ON setting.{HostWebSettings.accountId} = account.{HostingAccount.id}
        LEFT JOIN {SiteCertificate} certificate ON certificate.{SiteCertificate.accountId} = account.{HostingAccount.id}`;
    this.findByUser = database.statement<SiteRow>(
      `SELECT ${columns} FROM {HostingAccount} account ${embedded}
       LEFT JOIN {SiteDomain} domain ON domain.{SiteDomain.name} = ? AND domain.{SiteDomain.accountId} = account.{HostingAccount.id}
       WHERE account.{HostingAccount.userKey} = ?`,
    );
    this.findByDomain = database.statement<SiteRow>(
      `SELECT ${columns} FROM {SiteDomain} domain
       JOIN {HostingAccount} account ON account.{HostingAccount.id} = domain.{SiteDomain.accountId} ${embedded}
       WHERE domain.{SiteDomain.name} IN (?, ?)`,
    );
  }

  /** @param host the raw Host header */
  async byHost(host: string | undefined): Promise<SiteAnswer> {
    const name = hostName(host);
    if (name === null) return UNKNOWN;
    const row = await this.find(name);
    if (!row || row.state === 'terminating' || row.state === 'failed') return UNKNOWN;
    const { accountId, siteName, folder, settingsVersion, certificateVersion } = row;
    const forceHttps = Boolean(row.forceHttps);
    return { kind: this.kindOf(row), accountId, siteName, folder: folder ?? '', settingsVersion, name, certificateVersion, forceHttps };
  }

  private kindOf(row: SiteRow): FoundSite['kind'] {
    if (row.state === 'provisioning') return 'provisioning';
    const today = legacyDay(this.clock.now(), this.config.timezone);
    if (isExpired(lastDayOf(row), today)) return 'expired';
    // Reports used-up traffic also before the sweep has paused the account.
    if (this.isUsedUp(row, today)) return 'traffic';
    if (row.state === 'paused') return 'paused';
    return row.siteStopped ? 'stopped' : 'open';
  }

  private isUsedUp(row: SiteRow, today: string): boolean {
    const { accountId, trafficQuotaGb, trafficUsedBytes, trafficMonth } = row;
    if (trafficQuotaGb <= 0 || isHeld(row, today)) return false;
    const used = trafficMonth === today.slice(0, 7) ? Number(trafficUsedBytes) : 0;
    return used + this.meter.pending(accountId) > trafficQuotaGb * BYTES_PER_GB;
  }

  /**
   * A name below `SITES_DOMAIN` belongs to its account, whatever domains are bound; any other name is bound itself or covered by a wildcard
   * one label above.
   */
  private async find(name: string): Promise<SiteRow | undefined> {
    const under = `.${this.config.sitesDomain}`;
    if (name.endsWith(under)) return this.findByUser.get(name, name.slice(0, -under.length));
    const found = await this.findByDomain.all(name, `*${name.slice(name.indexOf('.'))}`);
    return found.find((row) => row.name === name) ?? found[0];
  }
}

/** Parses the name of a Host header: in lower case, without port and trailing dot; null if it is invalid. */
function hostName(host: string | undefined): string | null {
  if (host === undefined || host.length > MAX_HOST_LENGTH) return null;
  return HOST.exec(host.toLowerCase())?.[1] ?? null;
}
