import { Controller } from '@nestjs/common';

import { localeOf } from '../../common/index.js';
import { versioned } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page, SettingsTab, defineList, type ListRow } from '../../web/index.js';
import { QuarantineList, ScanDays, scanForm } from '../scans/index.js';

/** Number of days in the chart of matches. */
const CHART_DAYS = 30;

const hasHost = (row: ListRow): boolean => row.user !== '';
const isDisabled = (row: ListRow): boolean => row.display_status === 'disabled';

const AGENTS = defineList({
  id: 'agents',
  operation: 'listnode',
  sort: '-id',
  empty: 'agents.empty',
  keyword: 'keyword',
  filters: [
    {
      field: 'status',
      label: 'agents.status',
      choices: [
        ['enabled', 'agents.enabled'],
        ['disabled', 'agents.disabled'],
      ],
    },
  ],
  columns: [
    { field: 'node_name', title: 'agents.name', kind: 'named', notes: [{ text: (row) => String(row.node_id ?? '') }] },
    { field: 'btdh', title: 'agents.node' },
    {
      field: 'display_status',
      title: 'agents.status',
      kind: 'badge',
      badges: {
        online: ['green', 'agents.online'],
        offline: ['yellow', 'agents.offline'],
        disabled: ['secondary', 'agents.disabled'],
      },
    },
    { field: 'ip', title: 'agents.ip', kind: 'code' },
    { field: 'version', title: 'agents.version' },
    { field: 'last_heartbeat', title: 'agents.heard', sortable: true, kind: 'moment' },
    { field: 'last_scan', title: 'agents.last_scan', kind: 'moment' },
  ],
  actions: [
    { label: 'agents.ping', when: (row) => !isDisabled(row), operation: 'nodeping', then: 'nothing', follows: 'agent-task' },
    { label: 'agents.tasks', href: (row) => `/admin/agent-tasks?node_pk=${String(row.id)}` },
    { label: 'agents.log', when: (row) => !isDisabled(row), href: (row) => `/admin/agent-log?node_id=${String(row.id)}` },
    { label: 'agents.enable', when: isDisabled, operation: 'setnodestatus', fields: (row) => ({ id: String(row.id), enabled: 'true' }) },
    {
      label: 'agents.disable',
      when: (row) => !isDisabled(row),
      operation: 'setnodestatus',
      fields: (row) => ({ id: String(row.id), enabled: 'false' }),
      confirm: 'agents.disable_confirm',
    },
    { label: 'agents.renew', operation: 'nodemycz', confirm: 'agents.renew_confirm', shows: 'agent-config', then: 'nothing' },
    { label: 'agents.delete', tone: 'danger', operation: 'delnode', confirm: 'agents.delete_confirm' },
  ],
});

const MATCHES = defineList({
  id: 'matches',
  operation: 'listforbiddenmatch',
  sort: '-id',
  empty: 'scans.no_matches',
  given: ['scan_id', 'file_of', 'host_id'],
  narrowed: 'scans.some_matches',
  columns: [
    { field: 'created_at', title: 'scans.date', kind: 'moment' },
    { field: 'user', title: 'scans.host', whole: true },
    { field: 'keyword', title: 'scans.keyword' },
    { field: 'target', title: 'scans.file', kind: 'code' },
    { field: 'line_no', title: 'scans.line' },
    { field: 'excerpt', title: 'scans.excerpt' },
  ],
  actions: [
    {
      label: 'scans.to_host',
      when: hasHost,
      href: (row) => `/admin/hosts?q=${encodeURIComponent(String(row.user))}&in=user`,
    },
    { label: 'scans.to_file', when: (row) => row.in_file === 'true', href: (row) => `/admin/scans?file_of=${String(row.id)}#matches` },
    { label: 'scans.allow', operation: 'wjbmdtj', dialog: 'allow', fills: ['keyword', 'user', 'target'] },
    {
      label: 'scans.tell',
      when: hasHost,
      operation: 'wjccl',
      fields: (row) => ({ id: String(row.id), cz: 'tz' }),
      confirm: 'scans.tell_confirm',
    },
    {
      label: 'scans.quarantine',
      tone: 'danger',
      when: (row) => row.can_take === 'true',
      operation: 'wjgl',
      confirm: 'scans.quarantine_confirm',
    },
    {
      label: 'scans.pause',
      tone: 'danger',
      when: (row) => hasHost(row) && row.paused !== 'true',
      operation: 'zjztwj',
      fields: (row) => ({ id: String(row.host_id) }),
      confirm: 'scans.pause_confirm',
    },
    {
      label: 'scans.resume',
      when: (row) => hasHost(row) && row.paused === 'true',
      operation: 'zjjcwj',
      fields: (row) => ({ id: String(row.host_id) }),
      confirm: 'scans.resume_confirm',
    },
  ],
  bulk: [
    { label: 'scans.allow_many', operation: 'wjccl', field: 'idsz', fields: { cz: 'hl' }, confirm: 'scans.allow_many_confirm' },
    { label: 'scans.tell', operation: 'wjccl', field: 'idsz', fields: { cz: 'tz' }, confirm: 'scans.tell_many_confirm' },
    {
      label: 'scans.quarantine',
      operation: 'wjccl',
      field: 'idsz',
      fields: { cz: 'gl' },
      confirm: 'scans.quarantine_many_confirm',
      tone: 'danger',
    },
    { label: 'scans.pause', operation: 'wjccl', field: 'idsz', fields: { cz: 'zt' }, confirm: 'scans.pause_many_confirm', tone: 'danger' },
  ],
});

const ALLOWED = defineList({
  id: 'allowed',
  operation: 'listwjbmd',
  sort: '-id',
  empty: 'allowed.empty',
  columns: [
    { field: 'keyword', title: 'scans.keyword' },
    { field: 'user', title: 'scans.host', whole: true },
    { field: 'path', title: 'scans.file', kind: 'code' },
    { field: 'note', title: 'allowed.note' },
    { field: 'created_at', title: 'scans.date', kind: 'moment' },
  ],
  actions: [{ label: 'allowed.delete', tone: 'danger', operation: 'wjbmdsc', confirm: 'allowed.delete_confirm' }],
});

const SCANS = defineList({
  id: 'scans',
  operation: 'listforbiddenscan',
  sort: '-id',
  empty: 'scans.empty',
  beside: true,
  filters: [
    {
      field: 'time_filter',
      label: 'scans.date',
      choices: [
        ['today', 'scans.today'],
        ['yesterday', 'scans.yesterday'],
        ['week', 'scans.week'],
        ['month', 'scans.month'],
      ],
    },
    {
      field: 'status_filter',
      label: 'scans.status',
      choices: [
        ['success', 'scans.success'],
        ['failed', 'scans.failed'],
        ['has_matches', 'scans.has_matches'],
      ],
    },
  ],
  columns: [
    { field: 'created_at', title: 'scans.date', sortable: true, kind: 'moment' },
    { field: 'node_id', title: 'scans.agent', kind: 'code' },
    { field: 'site', title: 'scans.site' },
    {
      field: 'status',
      title: 'scans.status',
      kind: 'badge',
      badges: { success: ['green', 'scans.success'], failed: ['red', 'scans.failed'] },
    },
    { field: 'scanned_files', title: 'scans.files' },
    { field: 'matches_count', title: 'scans.matches' },
    { field: 'seen_at', title: 'scans.seen', kind: 'moment' },
  ],
  actions: [
    {
      label: 'scans.matches',
      when: (row) => Number(row.matches_count) > 0,
      href: (row) => `/admin/scans?scan_id=${encodeURIComponent(String(row.id))}#matches`,
    },
  ],
});

/** Pages of agents and their scan results. */
@Controller()
export class AgentPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly days: ScanDays,
    private readonly quarantine: QuarantineList,
  ) {}

  @Page({ side: 'admin', path: 'agents', title: 'node.menu.agents', menu: { icon: 'mdi-server-network', order: 25 }, lists: [AGENTS] })
  agents(): object {
    return {};
  }

  @Page({
    side: 'admin',
    path: 'scans',
    plain: true,
    title: 'node.menu.scans',
    menu: { icon: 'mdi-shield-search', order: 27 },
    lists: [MATCHES, SCANS],
  })
  async scans(call: RequestContext): Promise<object> {
    const chart = await this.days.chart(CHART_DAYS, localeOf(call.locale));
    return chart ? { chart } : {};
  }

  @Page({ side: 'admin', path: 'allowed-words', title: 'node.menu.allowed_words', lists: [ALLOWED] })
  allowed(): object {
    return {};
  }

  @SettingsTab({ tab: 'scans', order: 60, needs: 'savescancfg' })
  async scanSettings(): Promise<object> {
    return { ...versioned(scanForm(this.settings.current)), can_quarantine: await this.quarantine.someoneCan() };
  }
}
