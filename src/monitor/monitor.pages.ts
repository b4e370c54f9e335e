import { Controller } from '@nestjs/common';

import { localeOf } from '../common/index.js';
import { versionOf } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';
import { ThemeRenderer } from '../theme/index.js';
import { Page, defineList, plainList, type CellNote, type ListFilter, type PlainList } from '../web/index.js';

import { SHOWN_STATES } from './records/index.js';
import { KINDS, KINDS_OF, kindText } from './monitor-form.pages.js';
import { monitorSettingsForm } from './monitor-settings.operations.js';
import { MonitorViews } from './monitor-views.js';
import { OwnNetwork } from './runs/own-network.js';

const STATES = {
  up: ['green', 'monitors.up'],
  down: ['red', 'monitors.down'],
  pending: ['yellow', 'monitors.pending'],
  maintenance: ['blue', 'monitors.maintenance'],
  off: ['secondary', 'monitors.off'],
} as const;

const STATE = { field: 'state', title: 'monitors.state', kind: 'badge', badges: STATES } as const;
const STATE_FILTER: ListFilter = {
  field: 'state',
  label: 'monitors.state',
  choices: SHOWN_STATES.map((state) => [state, STATES[state][1]]),
};
const kindFilter = (kinds: typeof KINDS): ListFilter => ({
  field: 'task_type',
  label: 'monitors.kind',
  choices: kinds.map(({ value, text }) => [value, text]),
});
const LAST_ERROR: CellNote = { text: (row) => (row.enabled === 'true' ? String(row.last_error ?? '') : ''), tone: 'danger' };

/** List of an account's monitors with their last checks, which no operation returns. */
const OWN_MONITORS: PlainList = {
  id: 'monitors',
  empty: 'monitors.empty',
  hint: 'monitors.empty_text',
  nothing: 'script.no_match',
  text: { name: 'q' },
  filters: [STATE_FILTER, kindFilter(KINDS_OF.user)],
  columns: [
    {
      field: 'name',
      title: 'monitors.name',
      kind: 'named',
      href: (row) => `/user/monitor?id=${String(row.id)}`,
      notes: [{ text: (row, say) => [say(kindText(String(row.task_type))), row.url, row.tags].filter(Boolean).join(' · ') }, LAST_ERROR],
    },
    STATE,
    { field: 'beats', title: 'monitors.last_checks', kind: 'bars' },
    { field: 'took', title: 'monitors.took', whole: true },
    { field: 'uptime', title: 'monitors.uptime_day', whole: true },
  ],
  actions: [
    { label: 'monitors.test', operation: 'monitor_test', shows: 'monitor-test', then: 'nothing' },
    { label: 'monitors.edit', href: (row) => `/user/monitor-form?id=${String(row.id)}` },
  ],
};

const MONITORS = defineList({
  id: 'monitors',
  operation: 'listjk',
  sort: '-id',
  empty: 'monitors.admin_empty',
  search: [
    ['name', 'monitors.name'],
    ['user', 'monitors.user'],
    ['url', 'monitors.url'],
    ['tags', 'monitors.tags'],
  ],
  filters: [STATE_FILTER, kindFilter(KINDS)],
  columns: [
    {
      field: 'name',
      title: 'monitors.name',
      kind: 'named',
      notes: [{ text: (row) => String(row.url ?? '') }, LAST_ERROR],
    },
    { field: 'user', title: 'monitors.user' },
    {
      field: 'task_type',
      title: 'monitors.kind',
      kind: 'badge',
      badges: Object.fromEntries(KINDS.map(({ value, text }) => [value, ['secondary', text] as const])),
    },
    STATE,
    { field: 'last_ms', title: 'monitors.took_ms' },
    { field: 'last_run', title: 'monitors.last_run', kind: 'moment' },
  ],
  actions: [
    { label: 'monitors.details', href: (row) => `/admin/monitor?id=${String(row.id)}` },
    { label: 'monitors.test', operation: 'jkcs', shows: 'monitor-test', then: 'nothing' },
    { label: 'monitors.edit', href: (row) => `/admin/monitor-form?id=${String(row.id)}` },
    {
      label: 'monitors.enable',
      when: (row) => row.enabled !== 'true',
      operation: 'jkkg',
      fields: (row) => ({ id: String(row.id), enabled: 'true' }),
    },
    {
      label: 'monitors.disable',
      when: (row) => row.enabled === 'true',
      operation: 'jkkg',
      fields: (row) => ({ id: String(row.id), enabled: 'false' }),
    },
    { label: 'monitors.delete', tone: 'danger', operation: 'jksc', confirm: 'monitors.delete_confirm' },
  ],
});

const WINDOWS = defineList({
  id: 'windows',
  operation: 'listjkwh',
  empty: 'monitors.no_windows',
  beside: true,
  columns: [
    { field: 'title', title: 'monitors.window_title' },
    { field: 'starts_at', title: 'monitors.window_from', kind: 'moment' },
    { field: 'ends_at', title: 'monitors.window_to', kind: 'moment' },
    {
      field: 'repeats',
      title: 'monitors.window_repeats',
      kind: 'badge',
      badges: {
        once: ['secondary', 'monitors.window_once'],
        daily: ['secondary', 'monitors.window_daily'],
        weekly: ['secondary', 'monitors.window_weekly'],
      },
    },
    { field: 'user', title: 'monitors.window_user' },
    { field: 'tag', title: 'monitors.window_tag' },
    {
      field: 'state',
      title: 'monitors.state',
      kind: 'badge',
      badges: {
        open: ['blue', 'monitors.window_open'],
        waits: ['secondary', 'monitors.window_waits'],
        over: ['secondary', 'monitors.window_over'],
      },
    },
  ],
  actions: [
    {
      label: 'monitors.edit',
      dialog: 'monitor-window',
      operation: 'jkwh',
      fills: ['id', 'title', 'starts_at', 'ends_at', 'repeats', 'user', 'tag', 'row_version'],
    },
    { label: 'monitors.delete', tone: 'danger', operation: 'jkwhsc', confirm: 'monitors.window_delete_confirm' },
  ],
});

const logOf = (operation: string) =>
  defineList({
    id: 'monitor-log',
    operation,
    given: ['id'],
    empty: 'monitors.no_log',
    columns: [
      { field: 'created_at', title: 'monitors.when', kind: 'moment' },
      {
        field: 'check_status',
        title: 'monitors.result',
        kind: 'badge',
        badges: { ok: ['green', 'monitors.ok'], fail: ['red', 'monitors.failed'] },
      },
      { field: 'status_code', title: 'monitors.code' },
      { field: 'response_time', title: 'monitors.took_ms' },
      { field: 'error_message', title: 'monitors.error' },
      {
        field: 'notified',
        title: 'monitors.notified',
        kind: 'badge',
        badges: { true: ['azure', 'monitors.told'], false: ['secondary', 'monitors.not_told'] },
      },
    ],
  });

const USER_LOG = logOf('monitor_log_list');
const ADMIN_LOG = logOf('listjkrz');

/** Monitor pages of owners and administrators. */
@Controller()
export class MonitorPages {
  constructor(
    private readonly views: MonitorViews,
    private readonly settings: SiteSettings,
    private readonly network: OwnNetwork,
    private readonly themes: ThemeRenderer,
  ) {}

  @Page({ side: 'user', path: 'monitors', title: 'monitor.menu.monitors', menu: { icon: 'mdi-radar', order: 25 } })
  async monitors(call: RequestContext): Promise<object> {
    const { tasks, max } = await this.views.own(call);
    const locale = localeOf(call.locale);
    const place = { path: call.path, query: call.query, locale };
    const list = await plainList(OWN_MONITORS, place, this.themes.translator('user', locale), (state) =>
      this.views.part(tasks, state, locale),
    );
    return { list, used: tasks.length, max, kinds: KINDS_OF.user };
  }

  @Page({
    side: 'admin',
    path: 'monitors',
    title: 'monitor.menu.monitors',
    menu: { icon: 'mdi-radar', order: 28 },
    lists: [MONITORS, WINDOWS],
  })
  async all(): Promise<object> {
    const shown = monitorSettingsForm(this.settings.current);
    const held = await this.network.heldSince();
    return {
      neutral: shown.neutral,
      settings_fields: { ...shown, row_version: versionOf(shown) },
      held_since: held?.toISOString() ?? '',
      kinds: KINDS_OF.admin,
    };
  }

  @Page({ side: 'user', path: 'monitor', title: 'monitor.menu.monitors', lists: [USER_LOG] })
  monitor(call: RequestContext): Promise<object> {
    return this.detail(call, 'user');
  }

  @Page({ side: 'admin', path: 'monitor', title: 'monitor.menu.monitors', lists: [ADMIN_LOG] })
  one(call: RequestContext): Promise<object> {
    return this.detail(call, 'admin');
  }

  private async detail(call: RequestContext, side: 'admin' | 'user'): Promise<object> {
    const shown = await this.views.detail(call, side);
    return { ...shown, kind_text: kindText(shown.task.task_type) };
  }
}
