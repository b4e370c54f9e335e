import { trustedHtml } from '../trusted-html.js';
import { list, lists, site, adminPage, chart, userPage, type SampleView } from './frame.js';

const monitor = {
  id: 7,
  user: 'alice01',
  name: '官网 <b>',
  task_type: 'url',
  url: 'https://www.example.com/?a=1&b=2',
  resource_type: 'web',
  resource_threshold: 80,
  method: 'GET',
  has_headers: 'true',
  record_type: 'A',
  warn_days: 14,
  interval_seconds: 60,
  timeout_seconds: 10,
  status_rule: 'range',
  status_value: '200-299',
  content_rule: 'contains',
  content_value: 'ok',
  fail_threshold: 2,
  hf_yz: 1,
  cs_jg: 30,
  cf_jg: 0,
  notify_email: 'true',
  upside_down: 'false',
  tags: 'shop,cn',
  enabled: 'true',
  state: 'down',
  state_since: '2026-11-21 12:00:00',
  last_run: '2026-11-21 12:01:00',
  next_run: '2026-11-21 12:02:00',
  last_ms: 87,
  last_error: '规则不匹配：状态码 503',
  last_push: '',
  row_version: 'v',
  uptime: '99.93 %',
  kind_text: 'monitors.kind_url',
  beats: [
    { ok: true, text: '2026-11-21 12:00:00 OK 80 ms' },
    { ok: false, text: '2026-11-21 12:01:00 503' },
  ],
};
const kinds = [{ value: 'url', text: 'monitors.kind_url', hint: 'monitors.kind_hint_url' }];
const monitorPage = {
  kind_text: 'monitors.kind_url',
  task: monitor,
  operations: { save: 'monitor_save', test: 'monitor_test', toggle: 'monitor_toggle', remove: 'monitor_del', push: 'monitor_push' },
  beats: monitor.beats,
  uptimes: [{ label: '24 h', value: '99.93 %' }],
  ranges: [{ label: '24 h', href: '/user/monitor?id=7&range=24h', current: true }],
  lists: lists('monitor-log'),
};
const monitorImport = { most: 1_000, megabytes: 4, operations: { look: 'monitor_import_look', run: 'monitor_import' } };
const monitorForm = {
  operation: 'monitor_save',
  back: '/user/monitors',
  methods: ['GET', 'HEAD', 'POST'],
  kind_text: 'monitors.kind_url',
  status_rules: [{ value: 'eq', label: 'monitors.rule_eq' }],
  content_rules: [{ value: 'none', label: 'monitors.content_none' }],
  records: ['A', 'TXT'],
  resources: [{ value: 'web', label: 'monitors.resource_web' }],
  server_resources: [{ value: 'load', label: 'monitors.server_load' }],
  agents: [{ id: 'node_1', name: 'bj01' }],
  has_upside_down: true,
};
const statusChoices = {
  severities: [{ value: 'minor', text: 'status.severity_minor' }],
  states: [{ value: 'resolved', text: 'status.state_resolved' }],
};
const statusSettings = {
  ...statusChoices,
  lists: lists('status-monitors', 'incidents'),
  base: 'https://panel.example.com/status/',
  url: 'https://panel.example.com/status/acme',
  off_reason: '',
  page: { title: 'Acme <b>', slug: 'acme', is_public: true },
  row_version: '',
};
const incident = {
  title: '机房断电 <b>',
  severity: 'critical',
  state: 'resolved',
  started_at: '2026-11-20T02:00:00.000Z',
  resolved_at: '2026-11-20T04:00:00.000Z',
  updates: [{ state: 'resolved', at: '2026-11-20T04:00:00.000Z', html: trustedHtml('<p>供电已恢复</p>') }],
};
const statusView = {
  site,
  title: 'Acme <b>',
  state: 'down',
  monitors: [
    {
      name: '官网',
      state: 'down',
      percent: 99.93,
      bars: [
        { day: '2026-11-20', percent: 99.93, level: 'good' },
        { day: '2026-11-21', percent: null, level: 'none' },
      ],
    },
  ],
  open: [{ ...incident, state: 'monitoring', severity: 'minor', resolved_at: '' }],
  past: [incident],
  at: '2026-11-21T04:00:00.000Z',
  by_customer: true,
};
/** Views of monitors and status pages. */
export const MONITORS_VIEWS: SampleView[] = [
  {
    side: 'admin',
    view: 'monitors',
    vars: {
      ...adminPage,
      lists: lists('monitors', 'windows'),
      settings_fields: { jk_max: 5, neutral: '', row_version: 'v' },
      neutral: '',
      held_since: '',
      kinds,
    },
  },
  {
    side: 'admin',
    view: 'monitors',
    vars: {
      ...adminPage,
      lists: lists('monitors', 'windows'),
      settings_fields: { jk_max: 5, neutral: '1.1.1.1:443', row_version: 'v' },
      neutral: '1.1.1.1:443',
      held_since: '2026-11-21T04:00:00.000Z',
      kinds,
    },
  },
  { side: 'admin', view: 'monitor', vars: { ...adminPage, ...monitorPage, chart } },
  {
    side: 'admin',
    view: 'monitor',
    vars: { ...adminPage, ...monitorPage, task: { ...monitor, task_type: 'push' }, chart: { ...chart, rows: [] } },
  },
  ...['url', 'tcp', 'dns', 'cert', 'domain', 'push', 'resource', 'server'].map((task_type) => ({
    side: 'admin' as const,
    view: 'monitor-form',
    vars: { ...adminPage, ...monitorForm, operation: 'jkbc', task: { ...monitor, task_type } },
  })),
  { side: 'admin', view: 'monitor-import', vars: { ...adminPage, ...monitorImport } },
  { side: 'user', view: 'monitor-import', vars: { ...userPage, ...monitorImport } },
  { side: 'user', view: 'monitors', vars: { ...userPage, list, used: 1, max: 5, kinds } },
  { side: 'user', view: 'monitors', vars: { ...userPage, list, used: 0, max: 5, kinds } },
  { side: 'user', view: 'monitors', vars: { ...userPage, list, used: 1, max: 0, kinds } },
  { side: 'user', view: 'monitors', vars: { ...userPage, list, used: 0, max: 0, kinds } },
  { side: 'user', view: 'monitor', vars: { ...userPage, ...monitorPage, chart } },
  ...(['admin', 'user'] as const).flatMap((side) => {
    const frame = side === 'admin' ? adminPage : userPage;
    return [
      { side, view: 'status', vars: { ...frame, ...statusSettings } },
      { side, view: 'status', vars: { ...frame, ...statusSettings, page: null, url: '' } },
      { side, view: 'status', vars: { ...frame, ...statusSettings, url: '', off_reason: '内容违规 <b>' } },
      {
        side,
        view: 'incident',
        vars: { ...frame, ...statusChoices, lists: lists('incident-updates'), incident: { id: 3, title: '机房断电', state: 'monitoring' } },
      },
    ];
  }),
  { side: 'admin', view: 'status-pages', vars: { ...adminPage, lists: lists('status-pages') } },
  { side: 'home', view: 'status', vars: statusView },
  ...['up', 'incident', 'maintenance', 'unknown'].map((state) => ({
    side: 'home' as const,
    view: 'status',
    vars: { ...statusView, state, monitors: [], open: [], past: [], by_customer: false },
  })),
  { side: 'user', view: 'monitor-form', vars: { ...userPage, ...monitorForm, task: { ...monitor, id: 0 } } },
];
