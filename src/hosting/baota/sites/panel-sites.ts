import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverNode } from '../../driver/index.js';
import { PanelClient, type PanelFields, type PanelRecord, requireDone, serverProblem, SITE_GONE, textOf } from '../client/index.js';

import { PanelTables } from './panel-tables.js';
import { noteOf, readNote, type SiteMark } from './site-mark.js';

/** A site as stored in its server panel. */
export interface PanelSite extends SiteMark {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly runs: boolean;
  /** Last day `YYYY-MM-DD`; null for none. */
  readonly expiresOn: string | null;
}

/** FTP account of a site. */
export interface PanelFtp {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Secret. */
  readonly password: string;
}

/** Database of a site. */
export interface PanelDatabase {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly accept: string;
  /** Secret. */
  readonly password: string;
}

const NO_DAY = '0000-00-00';

/** Finds the sites of server panels by their full names. Before a change, owner and current id of the site are read again. */
@Injectable()
export class PanelSites {
  constructor(
    private readonly client: PanelClient,
    private readonly tables: PanelTables,
  ) {}

  /** Returns null if the site does not exist. @throws PanelProblem */
  async find(node: DriverNode, siteName: string, signal: AbortSignal): Promise<PanelSite | null> {
    const row = await this.tables.find(node, 'sites', siteName, ({ name }) => name === siteName, signal);
    return row && siteOf(row);
  }

  /**
   * Returns the site of an account. A site without a mark that has the account's name and id was created by another panel and imported: it
   * is marked now.
   *
   * @throws PanelProblem `not_found`; SITE_FOREIGN for a site with another mark, or none
   */
  async own({ node, siteName, siteId, ownerMark }: DriverAccount, signal: AbortSignal): Promise<PanelSite> {
    const site = await this.find(node, siteName, signal);
    if (!site) throw SITE_GONE;
    if (site.owner === ownerMark) return site;
    if (site.owner !== null || siteId === '' || site.id !== siteId) throw serverProblem('SITE_FOREIGN', { name: siteName });
    await this.mark(node, site, ownerMark, false, signal);
    return { ...site, owner: ownerMark };
  }

  /** Returns the FTP account of a site; null if it has none. @param username its probable name */
  async ftp(node: DriverNode, site: PanelSite, username: string, signal: AbortSignal): Promise<PanelFtp | null> {
    const row = await this.belonging(node, 'ftps', site, username, signal);
    return row && { id: textOf(row.id), name: textOf(row.name), enabled: textOf(row.status) === '1', password: textOf(row.password) };
  }

  /** Returns the database of a site; null if it has none. */
  async database(node: DriverNode, site: PanelSite, username: string, signal: AbortSignal): Promise<PanelDatabase | null> {
    const row = await this.belonging(node, 'databases', site, username, signal);
    return (
      row && {
        id: textOf(row.id),
        name: textOf(row.name),
        username: textOf(row.username),
        accept: textOf(row.accept),
        password: textOf(row.password),
      }
    );
  }

  /** Stores the owner of a site and whether its account is suspended. */
  async mark(node: DriverNode, site: PanelSite, owner: string, suspended: boolean, signal: AbortSignal): Promise<void> {
    await this.done(node, '/data?action=setPs', { table: 'sites', id: site.id, ps: noteOf(owner, suspended) }, signal);
  }

  /** @returns whether the day was changed */
  async expire(node: DriverNode, site: PanelSite, expiresOn: string | null, signal: AbortSignal): Promise<boolean> {
    if (site.expiresOn === expiresOn) return false;
    await this.done(node, '/site?action=SetEdate', { id: site.id, edate: expiresOn ?? NO_DAY }, signal);
    return true;
  }

  /** @returns whether the state was changed */
  async run(node: DriverNode, site: PanelSite, runs: boolean, signal: AbortSignal): Promise<boolean> {
    if (site.runs === runs) return false;
    await this.done(node, `/site?action=${runs ? 'SiteStart' : 'SiteStop'}`, { id: site.id, name: site.name }, signal);
    return true;
  }

  /** @returns whether the state was changed */
  async letIn(node: DriverNode, { id, name, enabled }: PanelFtp, wanted: boolean, signal: AbortSignal): Promise<boolean> {
    if (enabled === wanted) return false;
    await this.done(node, '/ftp?action=SetStatus', { id, username: name, status: wanted ? 1 : 0 }, signal);
    return true;
  }

  async setFtpPassword(node: DriverNode, { id, name }: PanelFtp, password: string, signal: AbortSignal): Promise<void> {
    await this.done(node, '/ftp?action=SetUserPassword', { id, ftp_username: name, new_password: password }, signal);
  }

  async setDatabasePassword(node: DriverNode, { id, name, username }: PanelDatabase, password: string, signal: AbortSignal): Promise<void> {
    await this.done(node, '/database?action=ResDatabasePassword', { id, name: username, password, data_name: name }, signal);
  }

  /** Runs an action. @throws PanelProblem with the panel's message */
  async done(node: DriverNode, call: string, fields: PanelFields, signal: AbortSignal): Promise<PanelRecord> {
    return requireDone(await this.client.call(node, call, fields, signal));
  }

  /** Looks for the probable name first, then for any row of the site: an adopted site keeps its old names. */
  private async belonging(
    node: DriverNode,
    table: 'ftps' | 'databases',
    { id }: PanelSite,
    username: string,
    signal: AbortSignal,
  ): Promise<PanelRecord | null> {
    const isOfSite = ({ pid }: PanelRecord): boolean => textOf(pid) === id;
    const named = await this.tables.find(node, table, username, (row) => row.name === username && isOfSite(row), signal);
    return named ?? this.tables.find(node, table, '', isOfSite, signal);
  }
}

/** Parses a row of sites. */
export function siteOf(row: PanelRecord): PanelSite {
  const day = textOf(row.edate).slice(0, 10);
  return {
    id: textOf(row.id),
    name: textOf(row.name),
    path: textOf(row.path),
    runs: textOf(row.status) === '1',
    expiresOn: day === NO_DAY || day === '' ? null : day,
    ...readNote(textOf(row.ps)),
  };
}
