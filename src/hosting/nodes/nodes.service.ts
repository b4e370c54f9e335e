import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database, EntityPages, isUniqueViolation, likeAnywhere, type RowQuery, type SqlValue } from '../../database/index.js';
import { HostingNode, NodeSystem } from '../entities/index.js';

import type { CallingKeys } from './calling-keys.js';

/** Code of the node that is this machine. */
export const EMBEDDED_NODE = 'local';

/** Maximum nodes in a selection. */
const MAX_CHOICES = 500;

/** Columns the list may be sorted by and the property behind each. */
const SORTS: Readonly<Record<string, keyof HostingNode | null>> = { id: null, btdh: 'code', date: null };
/** Properties searched by free text. */
const SEARCHED: readonly (keyof HostingNode)[] = ['code', 'address', 'dnsTarget'];

/** Query for a page of nodes. */
export interface NodeQuery {
  /** From 1. */
  readonly page: number;
  /** At most 200. */
  readonly limit: number;
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
  /** Part of a code, an address or a DNS target. */
  readonly text?: string;
  /** Ids to include; null: all. */
  readonly ids?: readonly number[] | null;
}

const NAME_PROPERTIES = ['id', 'code', 'dnsTarget', 'enabled'] as const;

/** Properties of a node shown in a selection. */
export type NodeName = Pick<HostingNode, (typeof NAME_PROPERTIES)[number]>;

/** Reads the nodes that accounts live on. */
@Injectable()
export class NodesService {
  private readonly list: EntityPages<HostingNode>;
  private readonly named: EntityPages<HostingNode, keyof NodeName>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.list = new EntityPages(database, HostingNode);
    this.named = new EntityPages(database, HostingNode, NAME_PROPERTIES);
  }

  /** Adds this machine as a node with its own keys on first start. Does nothing if any node exists. */
  async ensureEmbeddedNode(keys: CallingKeys): Promise<void> {
    const nodes = this.database.repository(HostingNode);
    if (await nodes.count()) return;
    const node = nodes.create({
      code: EMBEDDED_NODE,
      codeKey: EMBEDDED_NODE,
      address: '127.0.0.1',
      ...keys.fresh(),
      system: process.platform === 'win32' ? NodeSystem.Windows : NodeSystem.Linux,
      driver: 'embedded',
      enabled: true,
      createdAt: this.clock.now(),
    });
    try {
      await nodes.insert(node);
    } catch (error) {
      // Another process started at the same time and was first.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /** Returns the nodes open for new accounts, by code. */
  async open(): Promise<{ code: string; name: string; driver: string }[]> {
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true }, order: { code: 'ASC' }, take: 1_000 });
    return nodes.map((node) => ({ code: node.code, name: node.dnsTarget || node.code, driver: node.driver }));
  }

  /** Returns the node with a code; null if none exists. */
  find(code: string): Promise<HostingNode | null> {
    return this.database.repository(HostingNode).findOneBy({ code });
  }

  /** Returns a page of nodes in a stable order, and the total. */
  async page(query: NodeQuery): Promise<{ total: number; nodes: HostingNode[] }> {
    const { total, rows } = await this.list.page(rowQuery(query));
    return { total, nodes: rows };
  }

  /** Like {@link page}, with only the properties for a selection. */
  async names(query: NodeQuery): Promise<{ total: number; nodes: NodeName[] }> {
    const { total, rows } = await this.named.page(rowQuery(query));
    return { total, nodes: rows };
  }

  /** Returns the nodes for a selection, by code. @param ids to include; null: all */
  choices(ids: readonly number[] | null): Promise<HostingNode[]> {
    const where = ids === null ? {} : { id: In([...ids]) };
    return this.database.repository(HostingNode).find({ where, order: { code: 'ASC', id: 'ASC' }, take: MAX_CHOICES });
  }

  /** Returns the codes of nodes, by which accounts reference them; unknown ids are left out. */
  async codesOf(ids: readonly number[]): Promise<string[]> {
    const nodes = await this.database.repository(HostingNode).find({ select: { id: true, code: true }, where: { id: In([...ids]) } });
    return nodes.map(({ code }) => code);
  }

  /** Returns the number of hosts by node code. Counts every host of these nodes. */
  async hostCounts(codes: readonly string[]): Promise<Map<string, number>> {
    if (codes.length === 0) return new Map();
    const rows = await this.database
      .statement<{ code: string; hosts: number }>(
        `SELECT {HostingAccount.nodeCode} AS code, COUNT(*) AS hosts FROM {HostingAccount}
         WHERE {HostingAccount.nodeCode} IN (${codes.map(() => '?').join(', ')}) GROUP BY {HostingAccount.nodeCode}`,
      )
      .all(...codes);
    return new Map(rows.map(({ code, hosts }) => [code, Number(hosts)]));
  }
}

function rowQuery(query: NodeQuery): RowQuery {
  const { page, limit, sort = '', sortOrder } = query;
  return {
    ...conditionsOf(query),
    sort: Object.hasOwn(SORTS, sort) ? SORTS[sort]! : null,
    direction: sortOrder,
    offset: (page - 1) * limit,
    limit,
  };
}

function conditionsOf({ text, ids }: NodeQuery): { conditions: string[]; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  if (ids) {
    conditions.push(`{HostingNode.id} IN (${ids.map(() => '?').join(', ') || 'NULL'})`);
    params.push(...ids);
  }
  if (text) {
    const wanted = likeAnywhere(text);
    conditions.push(`(${SEARCHED.map((name) => `{HostingNode.${name}} LIKE ? ESCAPE '!'`).join(' OR ')})`);
    params.push(...SEARCHED.map(() => wanted));
  }
  return { conditions, params };
}
