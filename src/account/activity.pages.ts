import { Controller } from '@nestjs/common';

import { AppError, namedOperations } from '../common/index.js';
import { versionOf } from '../http/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';
import { ACTIVITY_MENU, SECURITY_MENU, Page, PageMissing, SettingsTab, defineList, type ListColumn } from '../web/index.js';

import { FailedSignInNotice } from './failed-sign-in-notice.js';
import { kindOf } from './log-lines.js';
import { retentionForm } from './log-deletion.operations.js';

const SESSIONS = defineList({
  id: 'sessions',
  operation: 'listhh',
  empty: 'script.empty',
  whole: true,
  columns: [
    { field: 'uamc', title: 'sessions.device', kind: 'brief', whole: true, rest: (row) => String(row.ua) },
    { field: 'ip', title: 'sessions.ip', kind: 'code' },
    { field: 'date', title: 'sessions.since', kind: 'moment' },
    { field: 'last', title: 'sessions.last', kind: 'moment' },
    {
      field: 'current',
      title: 'sessions.state',
      kind: 'badge',
      badges: { true: ['green', 'sessions.this_one'], false: ['secondary', 'sessions.elsewhere'] },
    },
  ],
  actions: [
    {
      label: 'sessions.revoke',
      when: (row) => String(row.current) !== 'true',
      operation: 'hhsc',
    },
  ],
});

const LOG = defineList({
  id: 'log',
  operation: 'listlog',
  sort: '-date',
  empty: 'script.empty',
  search: [
    ['czuser', 'log.who'],
    ['lr', 'log.what'],
    ['zt', 'log.subject'],
    ['zd', 'log.field'],
    ['ip', 'log.ip'],
  ],
  filters: [
    {
      field: 'lx',
      label: 'log.kind',
      // All kinds with a name, known once all features have registered their texts; a plugin's own is found by the plugin's name.
      get choices() {
        return namedOperations().map(([kind, key]) => [kindOf(kind), key] as const);
      },
    },
    {
      field: 'sj',
      label: 'log.period',
      choices: [
        ['1', 'log.last_day'],
        ['7', 'log.last_week'],
        ['30', 'log.last_month'],
        ['365', 'log.last_year'],
      ],
    },
  ],
  columns: [
    { field: 'date', title: 'log.date', sortable: true, kind: 'moment' },
    { field: 'czuser', title: 'log.who', kind: 'actor', source: (row) => String(row.ly), whole: true },
    { field: 'lxmc', title: 'log.kind', whole: true },
    { field: 'lrbg', title: 'log.what', kind: 'brief' },
    { field: 'qkmc', title: 'log.result', kind: 'brief' },
    { field: 'ip', title: 'log.ip', kind: 'code', whole: true },
  ],
  actions: [{ label: 'log.details', href: (row) => `/admin/log-line?id=${encodeURIComponent(String(row.id))}` }],
  bulk: [{ label: 'log.delete', operation: 'logscxz', field: 'idsz', confirm: 'log.delete_many_confirm', tone: 'danger' }],
});

const HISTORY = defineList({
  id: 'history',
  operation: 'wdlog',
  sort: '-date',
  empty: 'sessions.history_empty',
  filters: [{ field: 'lx', label: 'log.kind', choices: [['sign_in', 'account.operation.登陆']] }],
  columns: [
    { field: 'date', title: 'log.date', sortable: true, kind: 'moment' },
    { field: 'lxmc', title: 'log.kind', whole: true },
    { field: 'lr', title: 'log.what' },
    { field: 'qkmc', title: 'log.result', kind: 'brief' },
    { field: 'ip', title: 'log.ip', kind: 'code', whole: true },
  ],
});

/** A field with technical names: shows `<field>_text`, with the raw value below it. */
const inWords = (field: string): Pick<ListColumn, 'kind' | 'words' | 'notes'> => ({
  kind: 'named',
  words: (row) => String(row[`${field}_text`] ?? ''),
  notes: [{ text: (row) => String(row[field]), tone: 'code' }],
});

/** Columns common to both lists of events. @param date title of the time column */
const eventColumns = (date: string): ListColumn[] => [
  { field: 'id', title: 'events.id' },
  { field: 'hook', title: 'events.hook', ...inWords('hook') },
  { field: 'listener', title: 'events.listener', ...inWords('listener') },
  { field: 'attempts', title: 'events.attempts' },
  { field: 'error', title: 'events.error' },
  { field: 'date', title: date, kind: 'moment' },
];

const EVENTS = defineList({
  id: 'events',
  operation: 'listsj',
  empty: 'events.empty',
  keyword: 'ss',
  columns: eventColumns('events.date'),
  actions: [
    { label: 'events.retry', tone: 'primary', operation: 'sjcs' },
    {
      label: 'events.discard',
      tone: 'danger',
      operation: 'sjhl',
      confirm: 'events.discard_confirm',
    },
  ],
  bulk: [{ label: 'events.retry', operation: 'sjcsxz', field: 'idsz', confirm: 'events.retry_many_confirm' }],
});

const WAITING = defineList({
  id: 'waiting',
  operation: 'listsjdd',
  empty: 'events.waiting_empty',
  keyword: 'ss',
  columns: eventColumns('events.due'),
  actions: [{ label: 'events.try_now', when: (row) => Number(row.attempts) > 0, operation: 'sjcs' }],
});

/** Pages of the logs, the sessions, and the user's password. */
@Controller()
export class ActivityPages {
  constructor(
    private readonly failedSignIns: FailedSignInNotice,
    private readonly settings: SiteSettings,
    private readonly pipeline: OperationPipeline,
  ) {}

  @Page({
    side: 'admin',
    path: 'events',
    title: 'account.menu.events',
    menu: { under: ACTIVITY_MENU, order: 10 },
    lists: [EVENTS, WAITING],
  })
  events(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'log', title: 'account.menu.log', menu: { under: ACTIVITY_MENU, order: 30 }, lists: [LOG] })
  log(): object {
    const { current } = this.settings;
    return { log_days: current.logDays, row_version: versionOf(retentionForm(current)) };
  }

  @Page({ side: 'admin', path: 'log-line', title: 'account.menu.log', needs: ['logsj'] })
  async logLine(call: RequestContext): Promise<object> {
    const answer = await this.pipeline.show('admin', 'logsj', { id: call.query.id ?? '' }, call).catch((error: unknown) => {
      throw error instanceof AppError ? new PageMissing() : error;
    });
    const line = (answer as SuccessReply).extras as { readonly lx: string };
    return { line: { ...line, kind: kindOf(line.lx) } };
  }

  @Page({
    side: 'admin',
    path: 'sessions',
    title: 'account.menu.sessions',
    menu: { under: ACTIVITY_MENU, order: 20 },
    lists: [SESSIONS, HISTORY],
    own: true,
  })
  async sessionsOfAdmin(call: RequestContext): Promise<object> {
    return { failed_sign_ins: await this.failedSignIns.read('admin', call.admin!.id, call.locale) };
  }

  @Page({
    side: 'user',
    path: 'sessions',
    title: 'account.menu.sessions',
    menu: { under: SECURITY_MENU, order: 10 },
    lists: [SESSIONS, HISTORY],
    own: true,
  })
  async sessionsOfUser(call: RequestContext): Promise<object> {
    return { failed_sign_ins: await this.failedSignIns.read('user', call.user!.id, call.locale) };
  }

  @Page({ side: 'user', path: 'password', title: 'account.menu.password', menu: { under: SECURITY_MENU, order: 20 }, own: true })
  password(): object {
    return {};
  }

  @SettingsTab({ tab: 'account', order: 20, menu: 'account.menu.account', needs: 'gl' })
  account(): object {
    return {};
  }
}
