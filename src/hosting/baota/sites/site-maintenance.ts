import { Injectable } from '@nestjs/common';

import {
  ALREADY,
  DONE,
  type DriverAccount,
  type DriverNode,
  type DriverResult,
  type RemoteSite,
  type SiteSpecification,
  type SiteStatus,
} from '../../driver/index.js';
import { PanelClient, requireData, serverProblem, SITE_GONE, textOf } from '../client/index.js';

import { areaOf, checkedSitePath } from './panel-paths.js';
import { type PanelSite, PanelSites } from './panel-sites.js';
import { PanelTables } from './panel-tables.js';
import { PASSWORD, SiteCreation } from './site-creation.js';
import { readBytes } from './size-text.js';

/** Life cycle of sites on server panels: creates, suspends and removes them. Every method throws PanelProblem. */
@Injectable()
export class SiteMaintenance {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly tables: PanelTables,
    private readonly creation: SiteCreation,
  ) {}

  async create(wanted: SiteSpecification, signal: AbortSignal): Promise<DriverResult<{ siteId: string }>> {
    const { node, siteName, ownerMark, username } = wanted;
    const present = await this.sites.find(node, siteName, signal);
    if (present && present.owner !== ownerMark) throw serverProblem('SITE_FOREIGN', { name: siteName });
    if (present) await this.requireWhole(node, present, username, signal);
    const site = present ?? (await this.creation.make(wanted, signal));
    await this.sites.expire(node, site, wanted.expiresOn, signal);
    return { outcome: present ? 'already' : 'ok', value: { siteId: site.id } };
  }

  /**
   * Checks whether {@link create} could create a site with the names of an account.
   *
   * @throws PanelProblem SERVER_NAME, SERVER_TAKEN, SITE_FOREIGN
   */
  async requireFit({ node, siteName, ownerMark, username }: DriverAccount, signal: AbortSignal): Promise<undefined> {
    const present = await this.sites.find(node, siteName, signal);
    if (present && present.owner !== ownerMark) throw serverProblem('SITE_FOREIGN', { name: siteName });
    if (!present) await this.creation.requireName(node, username, signal);
    return undefined;
  }

  /** Marks the site first, so that no other account can adopt it. If interrupted after that, the same call completes the work. */
  async adopt(wanted: SiteSpecification, from: RemoteSite, signal: AbortSignal): Promise<DriverResult<{ siteId: string }>> {
    const { node, siteName, ownerMark, username, password } = wanted;
    const site = await this.sites.find(node, siteName, signal);
    if (!site) throw SITE_GONE;
    const isOwn = site.owner === ownerMark;
    if (!isOwn && (site.owner !== from.ownerMark || (site.owner === null && site.id !== from.siteId)))
      throw serverProblem('SITE_FOREIGN', { name: siteName });
    checkedSitePath(node, site.path);
    if (password !== null && !PASSWORD.test(password)) throw serverProblem('SERVER_PASSWORD');
    if (!isOwn) await this.sites.mark(node, site, ownerMark, false, signal);
    const ftp = await this.sites.ftp(node, site, username, signal);
    if (ftp) {
      if (password !== null && !isOwn) await this.sites.setFtpPassword(node, ftp, password, signal);
      await this.sites.letIn(node, ftp, true, signal);
    }
    await this.sites.expire(node, site, wanted.expiresOn, signal);
    await this.sites.run(node, site, true, signal);
    return { outcome: isOwn ? 'already' : 'ok', value: { siteId: site.id } };
  }

  /** Updates the note last, so that a call interrupted by a crash is repeated. */
  async suspend(account: DriverAccount, signal: AbortSignal): Promise<DriverResult> {
    const { node, username, ownerMark } = account;
    const site = await this.sites.own(account, signal);
    const ftp = await this.sites.ftp(node, site, username, signal);
    if (site.suspended && !site.runs && !ftp?.enabled) return ALREADY;
    await this.sites.run(node, site, false, signal);
    if (ftp) await this.sites.letIn(node, ftp, false, signal);
    if (!site.suspended) await this.sites.mark(node, site, ownerMark, true, signal);
    return DONE;
  }

  /** As {@link suspend}. */
  async unsuspend(account: DriverAccount, runs: boolean, signal: AbortSignal): Promise<DriverResult> {
    const { node, username, ownerMark } = account;
    const site = await this.sites.own(account, signal);
    const ftp = site.suspended ? await this.sites.ftp(node, site, username, signal) : null;
    if (!site.suspended && site.runs === runs) return ALREADY;
    await this.sites.run(node, site, runs, signal);
    if (ftp) await this.sites.letIn(node, ftp, true, signal);
    if (site.suspended) await this.sites.mark(node, site, ownerMark, false, signal);
    return DONE;
  }

  async run(account: DriverAccount, runs: boolean, signal: AbortSignal): Promise<DriverResult> {
    return (await this.sites.run(account.node, await this.sites.own(account, signal), runs, signal)) ? DONE : ALREADY;
  }

  async renew(account: DriverAccount, expiresOn: string | null, signal: AbortSignal): Promise<DriverResult> {
    return (await this.sites.expire(account.node, await this.sites.own(account, signal), expiresOn, signal)) ? DONE : ALREADY;
  }

  /** There is nothing to set: our panel alone enforces the limits. */
  async hold(account: DriverAccount, signal: AbortSignal): Promise<DriverResult> {
    await this.sites.own(account, signal);
    return ALREADY;
  }

  /** Changes only the FTP password: programs of the site have the database password in their configuration. */
  async changePassword(account: DriverAccount, password: string, signal: AbortSignal): Promise<DriverResult> {
    const { node, username } = account;
    const site = await this.sites.own(account, signal);
    if (!PASSWORD.test(password)) throw serverProblem('SERVER_PASSWORD');
    const ftp = await this.sites.ftp(node, site, username, signal);
    if (!ftp) return ALREADY;
    await this.sites.setFtpPassword(node, ftp, password, signal);
    return DONE;
  }

  /** Keeps the folder if another site has files in it. */
  async terminate(account: DriverAccount, signal: AbortSignal): Promise<DriverResult> {
    const { node, siteName } = account;
    const site = await this.sites.own(account, signal);
    const isShared = await this.isShared(node, site, signal);
    await this.creation.remove(node, site, signal, isShared);
    // Failure is ignored: the folder next to the site is no longer used, and no other site gets it.
    await this.client.call(node, '/files?action=DeleteDir', { path: areaOf(node, siteName) }, signal).catch(() => undefined);
    return DONE;
  }

  async sync(account: DriverAccount, signal: AbortSignal): Promise<SiteStatus> {
    const { node, username } = account;
    const site = await this.sites.own(account, signal);
    const { size } = requireData(await this.client.call(node, '/files?action=get_path_size', { path: site.path }, signal));
    const area = requireData(await this.client.call(node, '/files?action=get_path_size', { path: areaOf(node, site.name) }, signal));
    const database = await this.sites.database(node, site, username, signal);
    return {
      running: site.runs && !site.suspended,
      suspended: site.suspended,
      webUsedBytes: bytesOf(size) + bytesOf(area.size),
      databaseUsedBytes: database ? await this.databaseBytes(node, database.name, signal) : 0,
    };
  }

  /** As the panel rounds them. */
  private async databaseBytes(node: DriverNode, name: string, signal: AbortSignal): Promise<number> {
    return readBytes(textOf(requireData(await this.client.call(node, '/database?action=GetInfo', { db_name: name }, signal)).data_size));
  }

  private async requireWhole(node: DriverNode, site: PanelSite, username: string, signal: AbortSignal): Promise<void> {
    const parts = {
      FTP: await this.sites.ftp(node, site, username, signal),
      MySQL: await this.sites.database(node, site, username, signal),
    };
    const missing = Object.entries(parts).flatMap(([name, part]) => (part ? [] : [name]));
    if (missing.length > 0) throw serverProblem('SERVER_PARTIAL', { text: missing.join(', ') });
  }

  private async isShared(node: DriverNode, { id, path }: PanelSite, signal: AbortSignal): Promise<boolean> {
    try {
      checkedSitePath(node, path);
    } catch {
      return true;
    }
    for await (const row of this.tables.all(node, 'sites', {}, signal)) {
      const other = textOf(row.path);
      if (textOf(row.id) !== id && (other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`))) return true;
    }
    return false;
  }
}

function bytesOf(size: unknown): number {
  const bytes = Number(textOf(size));
  return Number.isFinite(bytes) && bytes > 0 ? Math.floor(bytes) : 0;
}
