import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database, fromSqlTime, legacySqlTime, toSqlTime } from '../../database/index.js';
import { ONLINE_MS } from '../wire/index.js';

import { Conditions, contains, readPage, type PageQuery } from '../page-query.js';

// Sorted without indexes: there are at most some thousand nodes, and an index on frequently changing columns would slow down every
// heartbeat.
const SORTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    node_id: 'nodeId',
    node_name: 'name',
    bt_id: 'hostingNodeId',
    status: 'status',
    enabled: 'enabled',
    ip: 'ip',
    version: 'version',
    last_heartbeat: 'lastHeartbeatAt',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  }).map(([name, property]) => [name, `a.{AgentNode.${property}}`]),
);
const KEYWORD_COLUMNS = [
  'a.{AgentNode.nodeId}',
  'a.{AgentNode.name}',
  'a.{AgentNode.ip}',
  'b.{HostingNode.code}',
  'b.{HostingNode.address}',
];
const FROM = '{AgentNode} a LEFT JOIN {HostingNode} b ON b.{HostingNode.id} = a.{AgentNode.hostingNodeId}';
const COLUMNS = `a.{AgentNode.id} AS id, a.{AgentNode.nodeId} AS nodeId, a.{AgentNode.name} AS name,
  a.{AgentNode.hostingNodeId} AS hostingNodeId,
  a.{AgentNode.status} AS status, a.{AgentNode.load} AS loadValue, a.{AgentNode.enabled} AS enabled, a.{AgentNode.ip} AS ip,
  a.{AgentNode.version} AS version,
  a.{AgentNode.capabilities} AS capabilities, a.{AgentNode.lastHeartbeatAt} AS lastHeartbeatAt, a.{AgentNode.lastScanAt} AS lastScanAt,
  a.{AgentNode.createdAt} AS createdAt,
  a.{AgentNode.updatedAt} AS updatedAt, b.{HostingNode.code} AS code, b.{HostingNode.address} AS address`;

interface AgentRow {
  readonly id: number;
  readonly nodeId: string;
  readonly name: string;
  readonly hostingNodeId: number | null;
  readonly status: string;
  readonly loadValue: number | null;
  readonly enabled: number;
  readonly ip: string;
  readonly version: string;
  readonly capabilities: string;
  readonly lastHeartbeatAt: string | null;
  readonly lastScanAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly code: string | null;
  readonly address: string | null;
}

/** A node as listed, without its secrets. */
export type AgentLine = Readonly<Record<string, string | number | null>>;

/** Counts for the overview. */
export interface NodeNumbers {
  readonly total_nodes: number;
  readonly online: number;
  readonly offline: number;
  readonly disabled: number;
}

/** Lists agents for administrators. */
@Injectable()
export class AgentList {
  private readonly counts;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {
    this.counts = database.statement<{ total: number; disabled: number | null; online: number | null }>(
      `SELECT COUNT(*) AS total, SUM(CASE WHEN {AgentNode.enabled} = 1 THEN 0 ELSE 1 END) AS disabled,
        SUM(CASE WHEN {AgentNode.enabled} = 1 AND {AgentNode.lastHeartbeatAt} >= ? THEN 1 ELSE 0 END) AS online FROM {AgentNode}`,
    );
  }

  /**
   * @param filter `keyword` is searched in the node's id, name and address and in the hosting server's code and address; `servers` limits
   * the list to agents of these servers
   */
  async page(
    query: PageQuery,
    filter: { keyword?: string; enabled?: boolean; servers?: readonly number[] | null },
  ): Promise<{ total: number; rows: AgentLine[] }> {
    const conditions = new Conditions();
    if (filter.enabled !== undefined) conditions.add('a.{AgentNode.enabled} = ?', filter.enabled);
    if (filter.servers) {
      conditions.add(`a.{AgentNode.hostingNodeId} IN (${filter.servers.map(() => '?').join(', ') || 'NULL'})`, ...filter.servers);
    }
    if (filter.keyword) conditions.add(`(${KEYWORD_COLUMNS.map(contains).join(' OR ')})`, ...KEYWORD_COLUMNS.map(() => filter.keyword!));
    const { total, rows } = await readPage<AgentRow>(this.database, query, {
      columns: COLUMNS,
      from: FROM,
      conditions,
      sorts: SORTS,
      id: 'a.{AgentNode.id}',
    });
    return { total, rows: rows.map((row) => this.line(row)) };
  }

  async numbers(): Promise<NodeNumbers> {
    const row = await this.counts.get(toSqlTime(this.onlineSince()));
    const [total, disabled, online] = [Number(row!.total), Number(row!.disabled ?? 0), Number(row!.online ?? 0)];
    return { total_nodes: total, online, offline: total - disabled - online, disabled };
  }

  private line(row: AgentRow): AgentLine {
    const time = (text: string | null): string => legacySqlTime(text, this.clock.timezone);
    const isOnline = row.lastHeartbeatAt !== null && fromSqlTime(row.lastHeartbeatAt) >= this.onlineSince();
    return {
      id: String(row.id),
      node_id: row.nodeId,
      node_name: row.name,
      bt_id: row.hostingNodeId === null ? '' : String(row.hostingNodeId),
      btdh: row.code ?? '',
      btip: row.address ?? '',
      status: row.status,
      enabled: String(row.enabled === 1),
      display_status: row.enabled !== 1 ? 'disabled' : isOnline ? 'online' : 'offline',
      load: row.loadValue,
      ip: row.ip,
      version: row.version,
      capabilities: row.capabilities,
      capabilities_text: (JSON.parse(row.capabilities) as string[]).join(', '),
      last_heartbeat: time(row.lastHeartbeatAt),
      last_scan: time(row.lastScanAt),
      created_at: time(row.createdAt),
      updated_at: time(row.updatedAt),
    };
  }

  private onlineSince(): Date {
    return new Date(this.clock.now().getTime() - ONLINE_MS);
  }
}
