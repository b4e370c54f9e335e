import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';

/** Names looked up by one statement. */
const BATCH = 200;

/**
 * Says whose a file is that an agent names: the host of the agent's own server whose site has the name of the folder below the root of
 * sites. What a host keeps further down is its own, whatever it is called, and no agent speaks for another server.
 */
@Injectable()
export class ScanHosts {
  private readonly serverOf;

  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
  ) {
    this.serverOf = database.statement<{ code: string }>(
      `SELECT s.{HostingNode.code} AS code FROM {AgentNode} a JOIN {HostingNode} s ON s.{HostingNode.id} = a.{AgentNode.hostingNodeId}
       WHERE a.{AgentNode.nodeId} = ?`,
    );
  }

  /** @param files paths as the agent wrote them @returns ids of hosts by path, without those that are of none */
  async of(nodeId: string, files: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const server = (await this.serverOf.get(nodeId))?.code;
    if (server === undefined) return new Map();
    const { linuxRoot, windowsRoot, scanRoot } = this.settings.current;
    const roots = [linuxRoot, windowsRoot, scanRoot].map(plainPath);
    const siteOf = new Map(files.map((file) => [file, siteIn(plainPath(file), roots)] as const));
    const hosts = await this.hostsOf(
      server,
      [...new Set(siteOf.values())].filter((name) => name !== ''),
    );
    return new Map(files.flatMap((file) => (hosts.has(siteOf.get(file)!) ? [[file, hosts.get(siteOf.get(file)!)!] as const] : [])));
  }

  private async hostsOf(server: string, names: readonly string[]): Promise<Map<string, number>> {
    const hosts = new Map<string, number>();
    for (let start = 0; start < names.length; start += BATCH) {
      const part = names.slice(start, start + BATCH);
      const rows = await this.database
        .statement<{ id: number; name: string }>(
          `SELECT {HostingAccount.id} AS id, {HostingAccount.siteName} AS name FROM {HostingAccount}
           WHERE {HostingAccount.nodeCode} = ? AND {HostingAccount.siteName} IN (${part.map(() => '?').join(', ')})`,
        )
        .all(server, ...part);
      for (const { id, name } of rows) hosts.set(name, id);
    }
    return hosts;
  }
}

/** Name of the site a file is in: the folder below the first of the roots it is under; empty where it is under none. */
function siteIn(file: string, roots: readonly string[]): string {
  const root = roots.find((folder) => folder !== '' && file.startsWith(`${folder}/`));
  if (root === undefined) return '';
  const [site, ...below] = file.slice(root.length + 1).split('/');
  return below.length === 0 || below.includes('..') ? '' : site!;
}

/** A path with slashes and without one at its end. */
function plainPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/\/{2,}/g, '/');
}
