import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { patienceOf } from '../../hosting/index.js';
import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AgentLogs, type LogFile } from '../logs/index.js';
import { AgentsService } from '../registry/index.js';

import { AgentLogInput, LogContentInput, LogFileInput, LogLevelInput } from './node-inputs.js';

/** How long an agent may take to respond, in milliseconds. */
const TIMEOUT_MS = 25_000;
/** Returns that timeout, or a shorter one for a page. */
const inTime = (call: CallContext): AbortSignal => AbortSignal.timeout(Math.round(patienceOf(call)() ?? TIMEOUT_MS));
const OF_AGENT = { of: 'agent', field: 'node_id' } as const;

/**
 * Administrators' operations on agent logs. Each calls the agent and throws AgentError NODE_NOT_FOUND, NODE_DISABLED, NODE_UNBOUND,
 * NODE_SILENT, NODE_SCANS_ONLY, NODE_TOO_OLD or NODE_REFUSED. Source: docs/panel-api.md "Agents".
 */
@Injectable()
export class AgentLogOperations {
  constructor(
    private readonly logs: AgentLogs,
    private readonly agents: AgentsService,
    private readonly config: AppConfig,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'nodeloglist',
    auth: 'admin',
    input: AgentLogInput,
    audit: null,
    rate: 'read',
    numericCode: true,
    servers: OF_AGENT,
  })
  async list({ node_id }: AgentLogInput, ctx: CallContext): Promise<ListReply> {
    const { files } = await this.logs.files(node_id, inTime(ctx));
    return new ListReply(
      files.length,
      files.map((file) => this.row(file)),
    );
  }

  /** @throws AgentError LOG_MISSING */
  @Operation({
    side: 'admin',
    gn: 'nodelogcontent',
    auth: 'admin',
    input: LogContentInput,
    audit: null,
    rate: 'read',
    numericCode: true,
    servers: OF_AGENT,
  })
  async content({ node_id, log_file, offset, limit, keyword, level }: LogContentInput, ctx: CallContext): Promise<SuccessReply> {
    const query = { file: log_file, offset: offset ?? null, limit, keyword, level: level ?? null };
    const part = await this.logs.read(node_id, query, inTime(ctx));
    return new SuccessReply('node.read', { log_file, content: part.text, offset: part.offset, next: part.next, size: part.size });
  }

  /** @throws AgentError LOG_MISSING */
  @Operation({
    side: 'admin',
    gn: 'nodelogclear',
    auth: 'admin',
    input: LogFileInput,
    audit: 'node.audit_log_clear',
    rate: 'write',
    numericCode: true,
    servers: OF_AGENT,
  })
  async clear({ node_id, log_file }: LogFileInput, ctx: CallContext): Promise<SuccessReply> {
    await this.logs.clear(node_id, log_file, inTime(ctx));
    return new SuccessReply('node.log_cleared');
  }

  @Operation({
    side: 'admin',
    gn: 'nodeloglevel',
    auth: 'admin',
    input: LogLevelInput,
    audit: 'node.audit_log_level',
    rate: 'write',
    numericCode: true,
    servers: OF_AGENT,
  })
  async setLevel({ node_id, level }: LogLevelInput, ctx: CallContext): Promise<SuccessReply> {
    await this.logs.setLevel(node_id, level, inTime(ctx));
    return new SuccessReply('node.log_level_set', { level }, { level });
  }

  @Operation({
    side: 'admin',
    gn: 'nodelogstats',
    auth: 'admin',
    input: AgentLogInput,
    audit: null,
    rate: 'read',
    numericCode: true,
    servers: OF_AGENT,
  })
  async numbers({ node_id }: AgentLogInput, ctx: CallContext): Promise<SuccessReply> {
    const { name } = await this.agents.get(node_id);
    const { level, files } = await this.logs.files(node_id, inTime(ctx));
    const total = (of: (file: (typeof files)[number]) => number): number => files.reduce((sum, file) => sum + of(file), 0);
    return new SuccessReply('node.read', {
      node_name: name,
      level,
      files: files.map((file) => this.row(file)),
      size: total(({ bytes }) => bytes),
      debug: total(({ lines }) => lines.DEBUG),
      info: total(({ lines }) => lines.INFO),
      warning: total(({ lines }) => lines.WARNING),
      error: total(({ lines }) => lines.ERROR),
    });
  }

  private row({ name, bytes, changedAt, lines }: LogFile) {
    return {
      log_file: name,
      size: bytes,
      changed_at: legacyTime(new Date(changedAt), this.config.timezone),
      debug: lines.DEBUG,
      info: lines.INFO,
      warning: lines.WARNING,
      error: lines.ERROR,
    };
  }
}
