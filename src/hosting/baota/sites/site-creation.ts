import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { type DriverNode, newestPhp, type SiteSpecification } from '../../driver/index.js';
import { messageOf, PanelClient, PanelProblem, type PanelRecord, requireData, serverProblem, textOf } from '../client/index.js';

import { PanelPhp } from './panel-php.js';
import { rootOf } from './panel-paths.js';
import { type PanelSite, PanelSites } from './panel-sites.js';
import { PanelTables } from './panel-tables.js';
import { noteOf } from './site-mark.js';

/** Names accepted by FTP, MySQL before 5.7 and the panel. */
const USERNAME = /^[A-Za-z0-9_]{3,16}$/;
const RESERVED = new Set(['root', 'mysql', 'test', 'sys', 'information_schema', 'performance_schema', 'www', 'ftp', 'nobody']);
/** Without characters that are special in the shell commands and SQL into which the panel inserts it. */
export const PASSWORD = /^[A-Za-z0-9_.@%+=,:-]{6,64}$/;

/** Creates sites on server panels, with an FTP account and a database of the same name: all three, or none. */
@Injectable()
export class SiteCreation {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly tables: PanelTables,
    private readonly php: PanelPhp,
  ) {}

  /** @throws PanelProblem */
  async make(wanted: SiteSpecification, signal: AbortSignal): Promise<PanelSite> {
    const { node, username, siteName } = wanted;
    await this.requireName(node, username, signal);
    const password = checkedPassword(wanted);
    const version = await this.versionFor(node, signal);
    const answer = requireData(
      await this.client.call(
        node,
        '/site?action=AddSite',
        {
          webname: JSON.stringify({ domain: siteName, domainlist: [], count: 0 }),
          path: `${rootOf(node)}/${siteName}`,
          type_id: 0,
          type: 'PHP',
          version,
          port: 80,
          ps: noteOf(wanted.ownerMark, false),
          ftp: 'true',
          ftp_username: username,
          ftp_password: password,
          sql: 'true',
          codeing: 'utf8mb4',
          datauser: username,
          datapassword: password,
        },
        signal,
      ),
    );
    if (answer.siteStatus !== true) throw new PanelProblem({ outcome: 'unknown', message: messageOf(answer) });
    const site = await this.sites.own(wanted, signal);
    const missing = missingOf(answer);
    if (missing.length === 0) return site;
    await this.remove(node, site, signal);
    throw serverProblem('SERVER_PARTIAL', { text: missing.join(', ') });
  }

  /** Removes a site with its FTP account and database. @param keepsFiles keeps its folder */
  async remove(node: DriverNode, { id, name }: PanelSite, signal: AbortSignal, keepsFiles = false): Promise<void> {
    const path: Record<string, string> = keepsFiles ? {} : { path: '1' };
    const answer = await this.client.call(node, '/site?action=DeleteSite', { id, webname: name, ftp: 1, database: 1, ...path }, signal);
    const record = requireDataOf(answer);
    if (record.status === true || messageOf(record).includes('指定站点不存在')) return;
    throw new PanelProblem(
      record.status === false ? { outcome: 'refused', message: messageOf(record) } : { outcome: 'unknown', message: messageOf(record) },
    );
  }

  /**
   * Checks that a user name is valid for FTP and databases of a server, and unused there.
   *
   * @throws PanelProblem SERVER_NAME, SERVER_TAKEN
   */
  async requireName(node: DriverNode, username: string, signal: AbortSignal): Promise<void> {
    if (!USERNAME.test(username) || RESERVED.has(username.toLowerCase())) throw serverProblem('SERVER_NAME', { name: username });
    for (const table of ['ftps', 'databases'] as const) {
      const taken = await this.tables.find(
        node,
        table,
        username,
        ({ name }) => textOf(name).toLowerCase() === username.toLowerCase(),
        signal,
      );
      if (taken) throw serverProblem('SERVER_TAKEN', { name: username });
    }
  }

  private async versionFor(node: DriverNode, signal: AbortSignal): Promise<string> {
    const versions = await this.php.versionsOf(node, signal);
    const { defaultPhp = '' } = node;
    if (versions.includes(defaultPhp)) return defaultPhp;
    const newest = newestPhp(versions);
    if (newest === undefined) throw serverProblem('SERVER_PHP_NONE');
    return newest;
  }
}

/** @returns the password; a random one if none is known, until the owner sets one @throws PanelProblem SERVER_PASSWORD */
function checkedPassword({ password }: SiteSpecification): string {
  if (password === null) return randomBytes(24).toString('base64url');
  if (!PASSWORD.test(password)) throw serverProblem('SERVER_PASSWORD');
  return password;
}

function missingOf({ ftpStatus, databaseStatus }: PanelRecord): string[] {
  return [...(ftpStatus === true ? [] : ['FTP']), ...(databaseStatus === true ? [] : ['MySQL'])];
}

function requireDataOf(answer: unknown): PanelRecord {
  return typeof answer === 'object' && answer !== null ? (answer as PanelRecord) : {};
}
