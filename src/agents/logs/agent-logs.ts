import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type DriverResult, HostingNode } from '../../hosting/index.js';
import { AgentCalls, type ServerCall } from '../actions/index.js';
import { AgentError } from '../agent-error.js';
import { AgentsService } from '../registry/index.js';
import type { ActionName, ActionResult, LogLevel } from '../wire/index.js';

/** A file of an agent's log. */
export type LogFile = ActionResult<'agentlog.files'>['files'][number];
/** Selects lines; see `agentlog.read`. */
export interface LogQuery {
  readonly file: string;
  /** Null for the last lines. */
  readonly offset: number | null;
  /** Maximum bytes. */
  readonly limit: number;
  readonly keyword: string;
  readonly level: LogLevel | null;
}
/** Lines of a log. */
export interface LogPart {
  readonly text: string;
  /** Byte offset of the first line within the matching lines. */
  readonly offset: number;
  /** Offset of the next lines. */
  readonly next: number;
  /** Total bytes of the matching lines. */
  readonly size: number;
}

/** Reads logs from the agents. Every call throws AgentError NODE_NOT_FOUND, NODE_UNBOUND or one of {@link refusalOf}. */
@Injectable()
export class AgentLogs {
  constructor(
    private readonly database: Database,
    private readonly agents: AgentsService,
    private readonly calls: AgentCalls,
  ) {}

  /** @param id of the agent, as for all methods */
  files(id: number, signal: AbortSignal): Promise<ActionResult<'agentlog.files'>> {
    return this.ask(id, 'agentlog.files', {}, signal);
  }

  /** @throws AgentError LOG_MISSING */
  async read(id: number, query: LogQuery, signal: AbortSignal): Promise<LogPart> {
    const chunks: Buffer[] = [];
    const { offset, size } = await this.ask(id, 'agentlog.read', { ...query }, signal, {
      receive: (body) => void body.on('data', (chunk: Buffer) => chunks.push(chunk)),
    });
    const bytes = Buffer.concat(chunks);
    return { text: bytes.toString('utf8'), offset, next: offset + bytes.length, size };
  }

  /** @throws AgentError LOG_MISSING */
  async clear(id: number, file: string, signal: AbortSignal): Promise<void> {
    await this.ask(id, 'agentlog.clear', { file }, signal);
  }

  async setLevel(id: number, level: LogLevel, signal: AbortSignal): Promise<void> {
    await this.ask(id, 'agentlog.level', { level }, signal);
  }

  private async ask<Name extends Extract<ActionName, `agentlog.${string}`>>(
    id: number,
    action: Name,
    args: ServerCall<Name>['args'],
    signal: AbortSignal,
    extras: Pick<ServerCall<Name>, 'receive'> = {},
  ): Promise<ActionResult<Name>> {
    const { nodeId, enabled, hostingNodeId } = await this.agents.get(id);
    if (!enabled) throw new AgentError('NODE_DISABLED');
    const server = hostingNodeId === null ? null : await this.database.repository(HostingNode).findOneBy({ id: hostingNodeId });
    if (!server) throw new AgentError('NODE_UNBOUND');
    const result = await this.calls.call({ server: server.code, node: nodeId, action, site: null, args, signal, ...extras });
    if ('value' in result) return result.value;
    throw refusalOf(result);
  }
}

/** Maps a failed call to an error. */
function refusalOf(result: Exclude<DriverResult<never>, { readonly value: never }>): AgentError {
  if (result.outcome === 'not_found') return new AgentError('LOG_MISSING');
  const code = 'problem' in result ? result.problem?.code : undefined;
  if (code === 'SCAN_ONLY') return new AgentError('NODE_SCANS_ONLY');
  if (code === 'UNKNOWN_ACTION') return new AgentError('NODE_TOO_OLD');
  return new AgentError(result.outcome === 'refused' ? 'NODE_REFUSED' : 'NODE_SILENT');
}
