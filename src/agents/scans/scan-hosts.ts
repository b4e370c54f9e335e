import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';

/** Names per lookup query. */
const BATCH = 200;

/**
 * Finds the host of a reported file: the host on the agent's own server whose site name is the first folder below the sites root. Deeper
 * folder names do not matter, and an agent cannot report for another server.
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

  /** @param files paths as reported by the agent @returns host ids by path, only for files with a host */
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

/** Returns the site name of a file: the folder below the first matching root; '' if none matches. */
function siteIn(file: string, roots: readonly string[]): string {
  const root = roots.find((folder) => folder !== '' && file.startsWith(`${folder}/`));
  if (root === undefined) return '';
  const [site, ...below] = file.slice(root.length + 1).split('/');
  return below.length === 0 || below.includes('..') ? '' : site!;
}

/** Normalizes a path to forward slashes without a trailing one. */
function plainPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/\/{2,}/g, '/');
}
