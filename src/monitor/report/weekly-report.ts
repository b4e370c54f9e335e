import { statfs } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, legacyDay, startOfDay, type TextRef, toYuan } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { DeadLetters } from '../../hooks/index.js';
import { BackgroundQueue, Job } from '../../jobs/index.js';
import { Notice, Notices, registerNotice } from '../../notify/index.js';

const NOON_MS = DAY_MS / 2;
const GB = 1024 ** 3;
/** Maximum number of quarantined plugins listed by name. */
const MAX_NAMED = 10;

const EXAMPLE = {
  backup: { key: 'monitor.report_backup', params: { day: '2026-01-04' } },
  disk: { key: 'monitor.report_disk', params: { free: '20.0', percent: 40 } },
  hosts: { key: 'monitor.report_hosts', params: { opened: 2, ended: 1 } },
  orders: { key: 'monitor.report_orders', params: { orders: 3, income: '29.70' } },
  monitors: { key: 'monitor.report_up', params: { monitors: 5, failing: 0, minutes: 0 } },
  failures: { key: 'monitor.report_failures', params: { jobs: 0, tasks: 0, events: 0, messages: 0 } },
  plugins: { key: 'monitor.report_plugins', params: { on: 3, off: 1 } },
};
registerNotice({
  kind: 'report',
  title: { key: 'monitor.report_title', params: { from: '2025-12-29', to: '2026-01-04' } },
  texts: [
    { key: 'monitor.report_text', params: EXAMPLE },
    { key: 'monitor.report_quiet', params: EXAMPLE },
  ],
});

/** A week from Monday to Sunday in the installation's time zone. */
interface Week {
  /** Its Monday, `YYYY-MM-DD`. */
  readonly first: string;
  /** The following Monday. */
  readonly end: string;
  readonly from: Date;
  readonly to: Date;
}

/** Sends administrators a weekly report of the installation. */
@Injectable()
export class WeeklyReport {
  private readonly hosts;
  private readonly payments;
  private readonly checks;
  private readonly jobs;
  private readonly messages;
  private readonly backup;
  private readonly firstStart;
  private readonly plugins;

  constructor(
    private readonly database: Database,
    private readonly notices: Notices,
    private readonly queue: BackgroundQueue,
    private readonly deadLetters: DeadLetters,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.hosts = database.statement<{ opened: number; ended: number }>(
      `SELECT (SELECT COUNT(*) FROM {HostingAccount} WHERE {HostingAccount.createdAt} >= ? AND {HostingAccount.createdAt} < ?
          AND {HostingAccount.state} IN ('active', 'paused')) AS opened,
        (SELECT COUNT(*) FROM {HostingAccount} WHERE {HostingAccount.expiresOn} >= ? AND {HostingAccount.expiresOn} < ?) AS ended`,
    );
    // Converted to fen before summing, because floats of yuan would lose precision.
    this.payments = database.statement<{ orders: number; income: number | null }>(
      `SELECT COUNT(*) AS orders, SUM(ROUND({PaymentTransaction.amount} * 100)) AS income FROM {PaymentTransaction}
       WHERE {PaymentTransaction.createdAt} >= ? AND {PaymentTransaction.createdAt} < ?`,
    );
    this.checks = database.statement<{ monitors: number; failing: number; seconds: number | null }>(
      `SELECT (SELECT COUNT(*) FROM {MonitorTask} WHERE {MonitorTask.enabled} = 1) AS monitors,
        COUNT(DISTINCT s.{MonitorStat.taskId}) AS failing,
        SUM((s.{MonitorStat.checks} - s.{MonitorStat.oks}) * t.{MonitorTask.intervalSeconds}) AS seconds
       FROM {MonitorStat} s JOIN {MonitorTask} t ON t.{MonitorTask.id} = s.{MonitorStat.taskId}
       WHERE s.{MonitorStat.unit} = 'h' AND s.{MonitorStat.at} >= ? AND s.{MonitorStat.at} < ?
        AND s.{MonitorStat.oks} < s.{MonitorStat.checks}`,
    );
    this.jobs = database.statement<{ n: number }>(
      'SELECT COUNT(*) AS n FROM {JobRun} WHERE {JobRun.error} IS NOT NULL AND {JobRun.startedAt} >= ? AND {JobRun.startedAt} < ?',
    );
    this.messages = database.statement<{ n: number }>(
      `SELECT COUNT(*) AS n FROM {NoticeDelivery} WHERE {NoticeDelivery.state} = 'failed' AND {NoticeDelivery.createdAt} >= ?
       AND {NoticeDelivery.createdAt} < ?`,
    );
    this.backup = database.statement<{ at: string | null }>(
      "SELECT MAX({Backup.startedAt}) AS at FROM {Backup} WHERE {Backup.state} = 'done'",
    );
    this.plugins = database.statement<{ slug: string; enabled: number | boolean; since: string | null }>(
      `SELECT {InstalledPlugin.slug} AS slug, {InstalledPlugin.enabled} AS enabled, {InstalledPlugin.quarantinedAt} AS since
       FROM {InstalledPlugin} ORDER BY {InstalledPlugin.slug}`,
    );
    this.firstStart = database.statement<{ at: string | null }>('SELECT MIN({Administrator.createdAt}) AS at FROM {Administrator}');
  }

  /**
   * Sends the report of the last week, once. Runs daily, so that a report missed on Monday is sent later. Weeks before the installation are
   * skipped.
   *
   * @returns number of recipients
   */
  @Job({ name: 'weekly-report', dailyAt: '08:00' })
  async send(): Promise<number> {
    const week = this.lastWeek();
    const key = `report:${week.first}`;
    if (await this.database.repository(Notice).existsBy({ side: 'admin', key })) return 0;
    const begun = momentOf((await this.firstStart.get())?.at);
    if (!begun || begun >= week.to) return 0;
    const { text, isFine } = await this.read(week);
    return this.notices.send({
      to: 'administrators',
      kind: 'report',
      // Notices of level `info` are never mailed.
      level: isFine ? 'success' : 'warning',
      key,
      title: {
        key: 'monitor.report_title',
        params: { from: week.first, to: legacyDay(new Date(week.to.getTime() - NOON_MS), this.config.timezone) },
      },
      text,
      link: '/admin/',
    });
  }

  private async read({ first, end, from, to }: Week): Promise<{ text: TextRef; isFine: boolean }> {
    const hosts = (await this.hosts.get(from, to, first, end))!;
    const payments = (await this.payments.get(from, to))!;
    const checks = (await this.checks.get(from, to))!;
    const jobs = Number((await this.jobs.get(from, to))!.n);
    const messages = Number((await this.messages.get(from, to))!.n);
    const events = await this.deadLetters.count();
    const tasks = (await this.queue.list({ state: 'failed' }, { page: 1, limit: 1 })).total;
    const [opened, ended, orders, failing] = [hosts.opened, hosts.ended, payments.orders, checks.failing].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    const plugins = await this.plugins.all();
    const held = plugins.filter(({ enabled, since }) => Number(enabled) === 1 && since !== null).map(({ slug }) => slug);
    const isFine = failing + jobs + messages + events + tasks + held.length === 0;
    const params = {
      backup: await this.backupText(),
      disk: await this.diskText(),
      hosts: { key: 'monitor.report_hosts', params: { opened, ended } },
      orders: { key: 'monitor.report_orders', params: { orders, income: toYuan(Number(payments.income ?? 0)) } },
      monitors: {
        key: failing > 0 ? 'monitor.report_down' : 'monitor.report_up',
        params: { monitors: Number(checks.monitors), failing, minutes: Math.ceil(Number(checks.seconds ?? 0) / 60) },
      },
      failures: { key: 'monitor.report_failures', params: { jobs, tasks, events, messages } },
      plugins: pluginsText(plugins, held),
    };
    const isQuiet = isFine && opened + ended + orders === 0;
    return { text: { key: isQuiet ? 'monitor.report_quiet' : 'monitor.report_text', params }, isFine };
  }

  private async backupText(): Promise<TextRef> {
    const at = momentOf((await this.backup.get())?.at);
    if (!at) return { key: 'monitor.report_no_backup' };
    return { key: 'monitor.report_backup', params: { day: legacyDay(at, this.config.timezone) } };
  }

  private async diskText(): Promise<TextRef> {
    const { bavail, bsize, blocks } = await statfs(this.config.dataDir);
    const percent = blocks > 0 ? Math.round((bavail * 100) / blocks) : 0;
    return { key: 'monitor.report_disk', params: { free: ((bavail * bsize) / GB).toFixed(1), percent } };
  }

  /** Returns the last complete week. */
  private lastWeek(): Week {
    const { timezone } = this.config;
    const today = startOfDay(this.clock.now(), timezone);
    const sinceMonday = (new Date(`${legacyDay(today, timezone)}T12:00:00Z`).getUTCDay() + 6) % 7;
    // Computed at noon because days with a clock change have 23 or 25 hours.
    const before = (days: number): Date => startOfDay(new Date(today.getTime() + NOON_MS - days * DAY_MS), timezone);
    const [from, to] = [before(sinceMonday + 7), before(sinceMonday)];
    return { first: legacyDay(from, timezone), end: legacyDay(to, timezone), from, to };
  }
}

/** Counts enabled and disabled plugins and lists the quarantined ones. */
function pluginsText(plugins: readonly { readonly enabled: number | boolean }[], held: readonly string[]): TextRef {
  const on = plugins.filter(({ enabled }) => Number(enabled) === 1).length;
  const params = { on, off: plugins.length - on };
  if (held.length === 0) return { key: 'monitor.report_plugins', params };
  return { key: 'monitor.report_plugins_held', params: { ...params, names: held.slice(0, MAX_NAMED).join(', ') } };
}

function momentOf(text: string | null | undefined): Date | null {
  return text ? fromSqlTime(text) : null;
}
