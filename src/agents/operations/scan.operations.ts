import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { SuccessReply, NoInput, Operation, ListReply, RawReply, checkVersion, versionLike } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { AgentsService } from '../registry/index.js';
import { AgentError } from '../agent-error.js';
import { QuarantineList, ScanList, scanForm, ScanSettings, ScanStarter, ScanStore } from '../scans/index.js';
import { TaskList, TaskQueue } from '../tasks/index.js';
import { clip, type ForbiddenScanPayload } from '../wire/index.js';

import { ClearScansInput, MatchListInput, ScanListInput, ScanSettingsInput, StartScanInput } from './node-inputs.js';

const DAY_MS = 86_400_000;
const MEGABYTE = 1024 * 1024;
const KEYWORD_LENGTH = 250;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])[^\u0000-\u001f\u007f]*$/;

/** The administrators' operations on scans for forbidden words. Source: docs/panel-api.md "Scans". */
@Injectable()
export class ScanOperations {
  constructor(
    private readonly agents: AgentsService,
    private readonly tasks: TaskQueue,
    private readonly taskList: TaskList,
    private readonly scans: ScanStore,
    private readonly scanList: ScanList,
    private readonly scanSettings: ScanSettings,
    private readonly starter: ScanStarter,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
    private readonly quarantine: QuarantineList,
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
  async list({ node_pk, time_filter, status_filter, ...query }: ScanListInput): Promise<ListReply> {
    const nodeId = node_pk === undefined ? undefined : (await this.agents.get(node_pk)).nodeId;
    const { total, rows } = await this.scanList.scans(query, { nodeId, time: time_filter, status: status_filter });
    return new ListReply(total, rows as Record<string, unknown>[]);
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

  @Operation({ side: 'admin', gn: 'get_global_keywords', auth: 'admin', input: NoInput, audit: null, rate: 'read', numericCode: true })
  globalKeywords(): RawReply {
    return new RawReply({ success: true, qk: 1, code: 1, msg: 'ok', data: this.scanSettings.keywords().join('\n') });
  }

  /** @throws AgentError SCAN_ROOT_FORM, QUARANTINE_NOBODY */
  @Operation({
    side: 'admin',
    gn: 'savescancfg',
    auth: 'admin',
    input: ScanSettingsInput,
    audit: 'node.audit_settings',
    rate: 'write',
    numericCode: true,
  })
  async saveSettings(input: ScanSettingsInput): Promise<SuccessReply> {
    if (input.sml && !isFolder(input.sml)) throw new AgentError('SCAN_ROOT_FORM');
    if (input.sgl && !(await this.quarantine.someoneCan())) throw new AgentError('QUARANTINE_NOBODY');
    const values = {
      scanKeywords: input.snr,
      scanChangedOnly: input.sgbfx,
      scanRoot: input.sml || undefined,
      scanSkippedFolders: input.stqml,
      scanSkippedSuffixes: input.stqhz,
      scanMaxFileBytes: input.sdzmax === undefined ? undefined : input.sdzmax * MEGABYTE,
      scanMaxMatches: input.sdhmax,
      fullScanEnabled: input.sqzcskg,
      fullScanCron: input.sqzcs?.trim(),
      scanNoticeFrom: input.stz,
      scanPauseFrom: input.szt,
      scanQuarantine: input.sgl,
      quarantineDays: input.sglts,
      scanEnabled: input.skg === false ? false : undefined,
    };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    await this.settings.change(given, (row) => checkVersion(input.row_version, scanForm(row)));
    const nodes = input.skg ? await this.starter.enable() : 0;
    const extras = input.row_version ? { row_version: versionLike(input.row_version, scanForm(this.settings.current)) } : {};
    return nodes > 0
      ? new SuccessReply('node.settings_saved_scans', extras, { n: nodes })
      : new SuccessReply('node.settings_saved', extras);
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

/** Words separated by line breaks, commas or semicolons, Chinese ones too. */
function splitKeywords(text: string): string[] {
  const words = text.split(/[\n\r,，;；]/).map((word) => clip(word, KEYWORD_LENGTH).trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Whether a text is an absolute path, of Linux or Windows, without steps upwards. */
function isFolder(path: string): boolean {
  return ABSOLUTE.test(path) && !path.split(/[\\/]/).includes('..');
}
