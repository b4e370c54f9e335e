import { Injectable } from '@nestjs/common';

import type { DriverNode, DriverSettings, NodeProbe, RemotePage, RemoteSite } from '../driver/index.js';

import { PanelClient, type PanelRecord, PIN_FIELD, requireData, requireKey, textOf } from './client/index.js';
import { PanelTables, siteOf } from './sites/index.js';

/** Reads facts about a server and the list of its sites. Every method throws PanelProblem. */
@Injectable()
export class ServerView {
  constructor(
    private readonly client: PanelClient,
    private readonly tables: PanelTables,
  ) {}

  async probe(node: DriverNode, signal: AbortSignal): Promise<NodeProbe> {
    requireKey(node);
    const { version, system } = requireData(await this.client.call(node, '/system?action=GetSystemTotal', {}, signal));
    return { version: textOf(version) || '-', system: textOf(system).slice(0, 200) || 'BaoTa' };
  }

  /** Pins the server's certificate if it is not trusted and none was configured. */
  async learn(node: DriverNode, signal: AbortSignal): Promise<DriverSettings> {
    if (node.settings[PIN_FIELD]) return {};
    const fingerprint = await this.client.unknownCertificate(node, signal);
    return fingerprint === '' ? {} : { [PIN_FIELD]: fingerprint };
  }

  /** @param cursor page number; null for the first page */
  async list(node: DriverNode, cursor: string | null, signal: AbortSignal): Promise<RemotePage> {
    const page = Math.max(1, Number(cursor ?? 1) || 1);
    const rows = await this.tables.page(node, 'sites', page, {}, signal);
    const users = rows.length === 0 ? new Map<string, string>() : await this.users(node, signal);
    const sites = rows.map((row) => remoteSite(row, users));
    return { sites, next: rows.length < this.tables.pageSize ? null : String(page + 1) };
  }

  private async users(node: DriverNode, signal: AbortSignal): Promise<Map<string, string>> {
    const users = new Map<string, string>();
    for await (const { pid, name } of this.tables.all(node, 'ftps', {}, signal)) users.set(textOf(pid), textOf(name));
    return users;
  }
}

function remoteSite(row: PanelRecord, users: ReadonlyMap<string, string>): RemoteSite {
  const { id, name, owner, suspended, runs } = siteOf(row);
  return { siteName: name, siteId: id, ownerMark: owner, username: users.get(id) ?? '', running: runs && !suspended, suspended };
}
