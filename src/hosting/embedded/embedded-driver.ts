import { randomBytes } from 'node:crypto';
import { release, type } from 'node:os';

import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { API_VERSION } from '../../sdk/index.js';
import {
  ALREADY,
  type BinPort,
  type CertificatesPort,
  DONE,
  type DriverAccount,
  type DriverCapability,
  type DriverNode,
  DriverRegistry,
  type DriverResult,
  type DomainsPort,
  type WebSettingsPort,
  HostDriver,
  type IdleSign,
  type NodeProbe,
  type RemotePage,
  type RemoteSite,
  type SiteSpecification,
  type SiteStatus,
  type SiteSwitch,
} from '../driver/index.js';

import { EmbeddedBackups } from './backups/index.js';
import { EmbeddedBin } from './embedded-bin.js';
import { EmbeddedTraffic } from './embedded-traffic.js';
import { EmbeddedFiles } from './files/index.js';
import { folderSize } from './folder-size.js';
import { EmbeddedStatistics } from './logs/index.js';
import { isDiskFull, SiteFolders, type SiteRecord } from './site-folders.js';
import { welcomePage } from './welcome-page.js';

type DiskFull = Extract<DriverResult, { outcome: 'refused' }>;

const MISSING = { outcome: 'not_found' } as const;
/** Subfolders of a site that count towards its owner's usage. */
const USED: readonly string[] = ['public', 'trash', 'work'];
/** Folders scanned for one page of the list. */
const LIST_PAGE = 200;

/** Hosts on this machine: one folder per site, served by `SitesServer`. Needs no other software. */
@Injectable()
export class EmbeddedDriver extends HostDriver {
  readonly type = 'embedded';
  override readonly single = true;
  /** The server is this machine, so there are no network settings. */
  override readonly nodeFields = [];
  readonly basics: ReadonlySet<DriverCapability> = new Set<DriverCapability>(['static']);
  /** The sites server reads the rows itself, so there is nothing to apply. */
  override readonly domains: DomainsPort = { apply: () => Promise.resolve(ALREADY) };
  override readonly settings: WebSettingsPort = { apply: () => Promise.resolve(ALREADY) };
  override readonly bin: BinPort;
  /** Also read from the rows. Undefined if the installation serves no site over TLS. */
  override readonly certificates: CertificatesPort | undefined;
  override readonly idleSigns: readonly IdleSign[] = ['files'];

  constructor(
    private readonly folders: SiteFolders,
    override readonly files: EmbeddedFiles,
    override readonly traffic: EmbeddedTraffic,
    override readonly statistics: EmbeddedStatistics,
    override readonly backups: EmbeddedBackups,
    registry: DriverRegistry,
    config: AppConfig,
  ) {
    super();
    this.certificates =
      config.sitesTlsPort === null ? undefined : { apply: () => Promise.resolve(ALREADY), prove: () => Promise.resolve(ALREADY) };
    this.bin = new EmbeddedBin(folders);
    registry.register(this);
  }

  title(locale: Locale): string {
    return translate(locale, 'hosting.kind_embedded');
  }

  probe(_node: DriverNode): Promise<DriverResult<NodeProbe>> {
    return Promise.resolve({ outcome: 'ok', value: { version: API_VERSION, system: `${type()} ${release()}` } });
  }

  async create(site: SiteSpecification): Promise<DriverResult<{ siteId: string }>> {
    const record: SiteRecord = {
      ownerMark: site.ownerMark,
      siteId: randomBytes(8).toString('hex'),
      node: site.node.code,
      username: site.username,
      suspended: false,
      stopped: false,
      expiresOn: site.expiresOn,
    };
    const built = await reportingDiskFull(async () => ({
      outcome: 'ok' as const,
      value: await this.folders.build(site.siteName, record, welcomePage(site.username)),
    }));
    if (built.outcome === 'refused') return built;
    if (built.value) return { outcome: 'ok', value: { siteId: record.siteId } };
    const present = await this.folders.read(site.siteName);
    if (present?.ownerMark !== site.ownerMark) return foreign(site);
    return { outcome: 'already', value: { siteId: present.siteId } };
  }

  override readonly adopt = async (site: SiteSpecification, from: RemoteSite): Promise<DriverResult<{ siteId: string }>> => {
    const record = await this.folders.read(site.siteName);
    if (!record) return MISSING;
    const { ownerMark, username, expiresOn, node } = site;
    if (record.ownerMark === ownerMark) return { outcome: 'already', value: { siteId: record.siteId } };
    if (record.ownerMark !== from.ownerMark) return foreign(site);
    const changed = { ...record, ownerMark, username, expiresOn, node: node.code, suspended: false, stopped: false };
    return reportingDiskFull(async () => {
      await this.folders.write(site.siteName, changed);
      return { outcome: 'ok' as const, value: { siteId: record.siteId } };
    });
  };

  suspend(account: DriverAccount): Promise<DriverResult> {
    return this.change(account, (record) => ({ ...record, suspended: true }));
  }

  unsuspend(account: DriverAccount, site: SiteSwitch): Promise<DriverResult> {
    return this.change(account, (record) => ({ ...record, suspended: false, stopped: site === 'stopped' }));
  }

  start(account: DriverAccount): Promise<DriverResult> {
    return this.change(account, (record) => ({ ...record, stopped: false }));
  }

  stop(account: DriverAccount): Promise<DriverResult> {
    return this.change(account, (record) => ({ ...record, stopped: true }));
  }

  renew(account: DriverAccount, expiresOn: string | null): Promise<DriverResult> {
    return this.change(account, (record) => ({ ...record, expiresOn }));
  }

  /** The quota is enforced from the panel's own counters; nothing is set on the folder. */
  changeQuota(account: DriverAccount): Promise<DriverResult> {
    return this.change(account, (record) => record);
  }

  /** Customers sign in at the panel; the folder has no password. */
  changePassword(account: DriverAccount): Promise<DriverResult> {
    return this.change(account, (record) => record);
  }

  async terminate(account: DriverAccount): Promise<DriverResult> {
    const record = await this.folders.read(account.siteName);
    if (!record) return MISSING;
    if (record.ownerMark !== account.ownerMark) return foreign(account);
    return (await this.folders.discard(account.siteName)) ? DONE : MISSING;
  }

  async sync(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteStatus>> {
    const record = await this.folders.read(account.siteName);
    if (!record) return MISSING;
    if (record.ownerMark !== account.ownerMark) return foreign(account);
    // The site, its trash, and pending uploads.
    const webUsedBytes = await folderSize(this.folders.folder(account.siteName), deadline, USED);
    return {
      outcome: 'ok',
      value: { running: runs(record), suspended: record.suspended, webUsedBytes, databaseUsedBytes: 0 },
    };
  }

  override async idle(account: DriverAccount): Promise<DriverResult<readonly IdleSign[]>> {
    const record = await this.folders.read(account.siteName);
    if (!record) return MISSING;
    if (record.ownerMark !== account.ownerMark) return foreign(account);
    const untouched = await this.folders.hasNothingBut(account.siteName, welcomePage(account.username));
    return { outcome: 'ok', value: untouched ? ['files'] : [] };
  }

  /** Nodes of this driver share the folder, so only sites created for this node are listed. */
  async list(node: DriverNode, cursor: string | null, deadline: AbortSignal): Promise<DriverResult<RemotePage>> {
    const names = await this.folders.names(cursor ?? '', LIST_PAGE);
    const sites: RemotePage['sites'][number][] = [];
    for (const siteName of names) {
      deadline.throwIfAborted();
      const record = await this.folders.read(siteName);
      if (record?.node !== node.code) continue;
      const { siteId, ownerMark, username, suspended } = record;
      sites.push({ siteName, siteId, ownerMark, username, running: runs(record), suspended });
    }
    return { outcome: 'ok', value: { sites, next: names.length === LIST_PAGE ? names.at(-1)! : null } };
  }

  private async change(account: DriverAccount, change: (record: SiteRecord) => SiteRecord): Promise<DriverResult> {
    const record = await this.folders.read(account.siteName);
    if (!record) return MISSING;
    if (record.ownerMark !== account.ownerMark) return foreign(account);
    const changed = change(record);
    if (JSON.stringify(changed) === JSON.stringify(record)) return ALREADY;
    return reportingDiskFull(async () => {
      await this.folders.write(account.siteName, changed);
      return DONE;
    });
  }
}

/** Reports a full disk as its own problem code; in that case nothing was changed. */
async function reportingDiskFull<Result extends DriverResult<unknown>>(work: () => Promise<Result>): Promise<Result | DiskFull> {
  try {
    return await work();
  } catch (error) {
    if (isDiskFull(error)) return { outcome: 'refused', message: 'The disk of the server is full.', problem: { code: 'DISK_FULL' } };
    throw error;
  }
}

function runs(record: SiteRecord): boolean {
  return !record.suspended && !record.stopped;
}

function foreign(account: DriverAccount): { outcome: 'refused'; message: string } {
  return { outcome: 'refused', message: `The site ${account.siteName} belongs to another account.` };
}
