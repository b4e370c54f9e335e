import { Controller } from '@nestjs/common';

import { versioned } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page, SettingsTab, defineList, type ListRow } from '../../web/index.js';
import { scanForm } from '../scans/index.js';

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
    { field: 'last_heartbeat', title: 'agents.heard', sortable: true, whole: true },
    { field: 'last_scan', title: 'agents.last_scan', whole: true },
  ],
  actions: [
    { label: 'agents.ping', when: (row) => !isDisabled(row), operation: 'nodeping', then: 'nothing', follows: 'agent-task' },
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
  given: ['scan_id'],
  narrowed: 'scans.of_one_scan',
  columns: [
    { field: 'created_at', title: 'scans.date', whole: true },
    { field: 'site', title: 'scans.site' },
    { field: 'keyword', title: 'scans.keyword' },
    { field: 'target', title: 'scans.file', kind: 'code' },
    { field: 'line_no', title: 'scans.line' },
    { field: 'excerpt', title: 'scans.excerpt' },
  ],
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
    { field: 'created_at', title: 'scans.date', sortable: true, whole: true },
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
  ],
  actions: [
    {
      label: 'scans.matches',
      when: (row) => Number(row.matches_count) > 0,
      href: (row) => `/admin/scans?scan_id=${encodeURIComponent(String(row.id))}#matches`,
    },
  ],
});

/** Agents on servers, and what they found there. */
@Controller()
export class AgentPages {
  constructor(private readonly settings: SiteSettings) {}

  @Page({ side: 'admin', path: 'agents', title: 'theme.menu.agents', menu: { icon: 'mdi-server-network', order: 25 }, lists: [AGENTS] })
  agents(): object {
    return {};
  }

  @Page({
    side: 'admin',
    path: 'scans',
    title: 'theme.menu.scans',
    menu: { icon: 'mdi-shield-search', order: 27 },
    lists: [MATCHES, SCANS],
  })
  scans(): object {
    return {};
  }

  @SettingsTab({ tab: 'scans', order: 60, needs: 'savescancfg' })
  scanSettings(): object {
    return versioned(scanForm(this.settings.current));
  }
}
