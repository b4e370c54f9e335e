import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Database, legacySqlTime } from '../../database/index.js';
import { AgentNode, ForbiddenMatch, ForbiddenScan } from '../entities/index.js';
import { Conditions, readPage, type PageQuery } from '../page-query.js';
import { QUARANTINE_CAPABILITY } from '../wire/index.js';

import type { FileToTake } from './file-quarantine.js';

interface FileRow {
  readonly id: number;
  readonly nodeId: string;
  readonly agent: string | null;
  readonly user: string | null;
  readonly path: string;
  readonly keyword: string;
  readonly size: number;
  readonly state: string;
  readonly error: string;
  readonly createdAt: string;
  readonly purgeAt: string | null;
}

/** Lists quarantined files and the agents that support quarantine. */
@Injectable()
export class QuarantineList {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  /** Returns a page of files, newest first. */
  async page(query: PageQuery): Promise<{ total: number; rows: (Record<string, string> & { readonly error: string })[] }> {
    const { total, rows } = await readPage<FileRow>(this.database, query, {
      columns: `q.{QuarantinedFile.id} AS id, q.{QuarantinedFile.nodeId} AS nodeId, a.{AgentNode.name} AS agent,
        h.{HostingAccount.username} AS user,
        q.{QuarantinedFile.path} AS path, q.{QuarantinedFile.keyword} AS keyword, q.{QuarantinedFile.size} AS size,
        q.{QuarantinedFile.state} AS state,
        q.{QuarantinedFile.error} AS error, q.{QuarantinedFile.createdAt} AS createdAt, q.{QuarantinedFile.purgeAt} AS purgeAt`,
      from: `{QuarantinedFile} q LEFT JOIN {AgentNode} a ON a.{AgentNode.nodeId} = q.{QuarantinedFile.nodeId}
        LEFT JOIN {HostingAccount} h ON h.{HostingAccount.id} = q.{QuarantinedFile.hostId}`,
      conditions: new Conditions(),
      sorts: new Map(),
      id: 'q.{QuarantinedFile.id}',
    });
    const time = (text: string | null): string => legacySqlTime(text, this.config.timezone);
    return {
      total,
      rows: rows.map(({ id, nodeId, agent, user, path, keyword, size, state, error, createdAt, purgeAt }) => ({
        id: String(id),
        node_id: nodeId,
        node_name: agent || nodeId,
        user: user ?? '',
        target: path,
        keyword,
        size: String(size),
        state,
        error,
        created_at: time(createdAt),
        until: time(purgeAt),
      })),
    };
  }

  /** Returns the file of a match; null if it has none. */
  async ofMatch(id: number): Promise<FileToTake | null> {
    const match = await this.database.repository(ForbiddenMatch).findOneBy({ id });
    if (!match || match.fileKey === '') return null;
    const { nodeId } = await this.database.repository(ForbiddenScan).findOneByOrFail({ id: match.scanId });
    return { nodeId, path: match.file, keyword: match.keyword, hostId: match.hostId };
  }

  /** Whether any enabled agent supports quarantine. */
  async someoneCan(): Promise<boolean> {
    return (await this.agents()).some(({ capabilities }) => capabilities.includes(QUARANTINE_CAPABILITY));
  }

  /** Returns the names of enabled agents that do not support quarantine. */
  async unable(): Promise<string[]> {
    return (await this.agents())
      .filter(({ capabilities }) => !capabilities.includes(QUARANTINE_CAPABILITY))
      .map(({ name, nodeId }) => name || nodeId);
  }

  private agents(): Promise<AgentNode[]> {
    return this.database.repository(AgentNode).find({ where: { enabled: true }, order: { id: 'ASC' }, take: 1_000 });
  }
}
