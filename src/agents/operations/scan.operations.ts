import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { SuccessReply, Operation, ListReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AgentsService } from '../registry/index.js';
import { AgentError } from '../agent-error.js';
import { type ScanLine, ScanList, ScanStore } from '../scans/index.js';
import { translateProblem, TaskList, TaskQueue } from '../tasks/index.js';
import { clip, type ForbiddenScanPayload } from '../wire/index.js';

import { ClearScansInput, MatchListInput, ScanListInput, StartScanInput } from './node-inputs.js';
import { isFolder } from './scan-folder.js';

const MEGABYTE = 1024 * 1024;
const KEYWORD_LENGTH = 250;

/** Administrators' operations on scans for forbidden keywords. Source: docs/panel-api.md "Scans". */
@Injectable()
export class ScanOperations {
  constructor(
    private readonly agents: AgentsService,
    private readonly tasks: TaskQueue,
    private readonly taskList: TaskList,
    private readonly scans: ScanStore,
    private readonly scanList: ScanList,
    private readonly clock: Clock,
  ) {}

  /** @throws AgentError NODE_NOT_FOUND, NODE_DISABLED, SCAN_ROOT_MISSING, SCAN_ROOT_FORM, KEYWORDS_MISSING */
  @Operation({
    side: 'admin',
    gn: 'nodeforbiddenscan',
    auth: 'admin',
    input: StartScanInput,
    audit: 'node.audit_scan',
    rate: 'expensive',
    numericCode: true,
    servers: { of: 'agent', field: 'id' },
  })
  async start(input: StartScanInput): Promise<SuccessReply> {
    const node = await this.agents.get(input.id);
    if (!node.enabled) throw new AgentError('NODE_DISABLED');
    const keywords = splitKeywords(input.keywords);
    if (input.root === '') throw new AgentError('SCAN_ROOT_MISSING');
    if (!isFolder(input.root)) throw new AgentError('SCAN_ROOT_FORM');
    if (keywords.length === 0) throw new AgentError('KEYWORDS_MISSING');
    const payload: ForbiddenScanPayload = {
      site: input.site,
      root: input.root,
      keywords,
      max_file_size: input.max_file_size_mb * MEGABYTE,
      max_matches: input.max_matches,
      scan_changed_only: false,
      scan_mode: 'full',
    };
    const [taskId] = await this.tasks.add([node.nodeId], 'forbidden_scan', payload);
    return new SuccessReply('node.scan_sent', { task_id: taskId! });
  }

  /** @throws AgentError NODE_NOT_FOUND */
  @Operation({ side: 'admin', gn: 'listforbiddenscan', auth: 'admin', input: ScanListInput, audit: null, rate: 'read', numericCode: true })
  async list({ node_pk, time_filter, status_filter, ...query }: ScanListInput, { locale }: CallContext): Promise<ListReply> {
    const nodeId = node_pk === undefined ? undefined : (await this.agents.get(node_pk)).nodeId;
    const { total, rows } = await this.scanList.scans(query, { nodeId, time: time_filter, status: status_filter });
    const translated = ({ error, ...summary }: ScanLine['summary']): object =>
      error === undefined ? summary : { ...summary, error: translateProblem(locale, error) };
    return new ListReply(
      total,
      rows.map((row) => ({ ...row, summary: translated(row.summary) })),
    );
  }

  @Operation({
    side: 'admin',
    gn: 'listforbiddenmatch',
    auth: 'admin',
    input: MatchListInput,
    audit: null,
    rate: 'read',
    numericCode: true,
  })
  async listMatches({ task_id, scan_id, file_of, host_id, ...query }: MatchListInput): Promise<ListReply> {
    const { total, rows } = await this.scanList.matches(query, { taskId: task_id, scanId: scan_id, fileOf: file_of, hostId: host_id });
    return new ListReply(total, rows as Record<string, unknown>[]);
  }

  @Operation({
    side: 'admin',
    gn: 'clearoldscans',
    auth: 'admin',
    input: ClearScansInput,
    audit: 'node.audit_clear',
    rate: 'write',
    numericCode: true,
  })
  async clear({ days }: ClearScansInput): Promise<SuccessReply> {
    const before = new Date(this.clock.now().getTime() - days * DAY_MS);
    const removed = await this.scans.removeBefore(before);
    const tasks = await this.taskList.removeEndedBefore(before);
    const extras = { deleted_scans: removed.scans, deleted_matches: removed.matches, deleted_tasks: tasks };
    return new SuccessReply('node.cleared', extras, { ...removed, tasks });
  }
}

/** Splits keywords at line breaks, commas and semicolons, including Chinese ones. */
function splitKeywords(text: string): string[] {
  const words = text.split(/[\n\r,，;；]/).map((word) => clip(word, KEYWORD_LENGTH).trim());
  return [...new Set(words.filter((word) => word !== ''))];
}
