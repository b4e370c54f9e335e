import { Controller } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../../operations/index.js';
import { ACTIVITY_MENU, defineList, type ListRow, Page, PageMissing } from '../../web/index.js';
import { isRepeatable } from '../task-actions/index.js';

const isFailed = (row: ListRow): boolean => row.status === 'failed' && isRepeatable(String(row.action));
const isWaiting = (row: ListRow): boolean => row.status === 'pending';
const named = (row: ListRow): Record<string, string> => ({ task_id: String(row.task_id) });

/** Kinds of tasks with their text keys; for server actions the part before the dot. */
const KINDS: Readonly<Record<string, string>> = {
  ping: 'agent_tasks.kind_ping',
  forbidden_scan: 'agent_tasks.kind_forbidden_scan',
  quarantine_file: 'agent_tasks.kind_quarantine_file',
  restore_file: 'agent_tasks.kind_restore_file',
  delete_quarantined: 'agent_tasks.kind_delete_quarantined',
  server: 'agent_tasks.kind_server',
  site: 'agent_tasks.kind_site',
  bin: 'agent_tasks.kind_bin',
  domains: 'agent_tasks.kind_domains',
  settings: 'agent_tasks.kind_settings',
  rewrites: 'agent_tasks.kind_rewrites',
  certificate: 'agent_tasks.kind_certificate',
  proofs: 'agent_tasks.kind_proofs',
  php: 'agent_tasks.kind_php',
  credentials: 'agent_tasks.kind_credentials',
  sftp: 'agent_tasks.kind_sftp',
  commands: 'agent_tasks.kind_commands',
  files: 'agent_tasks.kind_files',
  backups: 'agent_tasks.kind_backups',
  logs: 'agent_tasks.kind_logs',
  traffic: 'agent_tasks.kind_traffic',
  databases: 'agent_tasks.kind_databases',
  agentlog: 'agent_tasks.kind_agentlog',
};
const kindText = (action: string): string => KINDS[action.split('.')[0]!] ?? 'agent_tasks.kind_server';

/** Colour and text key of each state of a task. */
const STATES = {
  pending: ['yellow', 'agent_tasks.pending'],
  running: ['blue', 'agent_tasks.running'],
  success: ['green', 'agent_tasks.success'],
  failed: ['red', 'agent_tasks.failed'],
  expired: ['secondary', 'agent_tasks.expired'],
  late: ['orange', 'agent_tasks.late'],
} as const;

const TASKS = defineList({
  id: 'agent-tasks',
  operation: 'listnodetask',
  sort: '-id',
  empty: 'agent_tasks.empty',
  filters: [
    {
      field: 'node_pk',
      label: 'agent_tasks.agent',
      choices: [],
      from: { operation: 'listnode', fields: { limit: '100' }, value: 'id', title: 'node_name' },
    },
    { field: 'status', label: 'agent_tasks.status', choices: Object.entries(STATES).map(([state, [, text]]) => [state, text] as const) },
    { field: 'action', label: 'agent_tasks.kind', choices: Object.entries(KINDS) },
  ],
  columns: [
    { field: 'created_at', title: 'agent_tasks.created', kind: 'moment' },
    { field: 'node_name', title: 'agent_tasks.agent' },
    {
      field: 'action',
      title: 'agent_tasks.kind',
      kind: 'named',
      href: (row) => `/admin/agent-task?task_id=${encodeURIComponent(String(row.task_id))}`,
      words: (row, t) => t(kindText(String(row.action))),
      notes: [
        { text: (row) => String(row.action), tone: 'code' },
        { text: (row) => String(row.error ?? ''), tone: 'danger' },
      ],
    },
    { field: 'status', title: 'agent_tasks.status', kind: 'badge', badges: STATES },
    { field: 'attempts', title: 'agent_tasks.attempts' },
    { field: 'finished_at', title: 'agent_tasks.finished', kind: 'moment' },
  ],
  actions: [
    { label: 'agent_tasks.again', when: isFailed, operation: 'nodetaskcx', fields: named, confirm: 'agent_tasks.again_confirm' },
    {
      label: 'agent_tasks.cancel',
      tone: 'danger',
      when: isWaiting,
      operation: 'nodetaskqx',
      fields: named,
      confirm: 'agent_tasks.cancel_confirm',
    },
  ],
});

/** Pages of agent tasks. */
@Controller()
export class AgentTaskPages {
  constructor(private readonly pipeline: OperationPipeline) {}

  @Page({
    side: 'admin',
    path: 'agent-tasks',
    title: 'node.menu.agent_tasks',
    menu: { under: ACTIVITY_MENU, order: 27 },
    lists: [TASKS],
  })
  tasks(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'agent-task', title: 'node.menu.agent_tasks', needs: ['nodetasksj'] })
  async task(call: RequestContext): Promise<object> {
    const answer = await this.pipeline.show('admin', 'nodetasksj', { task_id: call.query.task_id ?? '' }, call).catch((error: unknown) => {
      throw error instanceof AppError ? new PageMissing() : error;
    });
    const task = (answer as SuccessReply).extras as Readonly<Record<string, string>>;
    const { status = '', action = '', payload_text: payload = '', result_text: result = '' } = task;
    return {
      task: {
        ...task,
        kind: kindText(action),
        // Fields the buttons send.
        named: JSON.stringify(named(task)),
        state: STATES[status as keyof typeof STATES],
        payload_text: shown(payload),
        result_text: shown(result),
        can_repeat: isFailed(task),
        can_cancel: isWaiting(task),
      },
    };
  }
}

/** Formats JSON for display; text that is not valid JSON stays as it is, an empty value becomes ''. */
function shown(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || JSON.stringify(value) === '{}' ? '' : JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}
