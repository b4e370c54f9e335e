import { Injectable } from '@nestjs/common';

import { MINUTE_MS, Clock, settleWithin } from '../common/index.js';
import { Database } from '../database/index.js';
import { IdleRepository, idleSettings, isAnyOn, QuotaPauses, type QuotaKind } from '../hosting/index.js';
import { CronScheduler, JobRegistry, JobRunner, Quiet } from '../jobs/index.js';
import { SiteSettings } from '../site/index.js';

/** A program that calls by the minute waits this long for the work at most, in milliseconds; the work goes on. */
const PATIENCE = 25_000;
/** Said while the installation is held. */
const HELD = '本系统由备份恢复，尚未放行，没有执行任何操作。';

/** Of `gn`: what is measured, and its name in the answer. */
const MEASURED: Record<string, { kind: QuotaKind; name: string }> = {
  web: { kind: 'web', name: '网页空间' },
  sql: { kind: 'database', name: '数据库空间' },
  fh: { kind: 'traffic', name: '流量' },
};

/**
 * The addresses older panels wanted to be called by a crontab. The clock runs by itself; a call makes what is due run now, at most once a
 * minute however often it comes, in one process. Answers say what is so. Source: docs/panel-api.md "Addresses for a crontab".
 */
@Injectable()
export class ClockTriggers {
  private readonly checked;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly settings: SiteSettings,
    private readonly scheduler: CronScheduler,
    private readonly jobs: JobRegistry,
    private readonly runner: JobRunner,
    private readonly pauses: QuotaPauses,
    private readonly idle: IdleRepository,
    private readonly quiet: Quiet,
  ) {
    this.checked = database.statement<{ tasks: number }>('SELECT COUNT(*) AS tasks FROM {MonitorTask} WHERE {MonitorTask.lastRunAt} >= ?');
  }

  /** Everything that is due this minute. */
  async runDue(): Promise<string> {
    if (this.quiet.active) return HELD;
    const now = this.clock.now();
    await settleWithin(this.scheduler.tick(this.minute(now)), PATIENCE);
    const found = await this.checked.get(new Date(now.getTime() - MINUTE_MS));
    return `执行完成，检测任务：${found?.tasks ?? 0}`;
  }

  /** Measures what sites use, and tells whom that paused. */
  async measure(gn: string): Promise<string> {
    if (this.quiet.active) return HELD;
    if (gn === 'fhq') return '月流量由各服务器按月统计，无需清零，没有执行任何操作。';
    if (gn === 'ywjkdel') return this.idleHosts();
    const measured = Object.hasOwn(MEASURED, gn) ? MEASURED[gn] : undefined;
    if (!measured) return '该功能不存在！';
    const before = new Set(await this.pauses.names(measured.kind));
    const started = await this.runner.start(this.jobs.find('core:account-usage')!, this.minute(this.clock.now()));
    if (started === 'running') return '上一次执行尚未结束，结束后会自动继续。';
    if (started !== 'had' && !(await settleWithin(started.ended, PATIENCE))) return '正在执行，主机较多，结束后暂停超额的主机。';
    const paused = (await this.pauses.names(measured.kind)).filter((name) => !before.has(name));
    return `执行完成，有${paused.length}个主机由于${measured.name}超过被暂停他们分别是：${paused.join('，')}`;
  }

  /** Deals with hosts nobody uses, and tells what that did. */
  private async idleHosts(): Promise<string> {
    if (!isAnyOn(idleSettings(this.settings.current))) return '闲置主机处理未开启，没有执行任何操作。可在“设置 → 闲置主机”中开启。';
    const now = this.clock.now();
    const started = await this.runner.start(this.jobs.find('core:idle-hosts')!, this.minute(now));
    if (started === 'running') return '上一次执行尚未结束，结束后会自动继续。';
    if (started !== 'had' && !(await settleWithin(started.ended, PATIENCE))) return '正在执行，主机较多，结果见“闲置主机”页面。';
    const done = await this.idle.doneSince(this.minute(now));
    const named = (action: string): string =>
      done
        .filter((host) => host.done === action)
        .map(({ username }) => username)
        .join('，');
    const count = (action: string): number => done.filter((host) => host.done === action).length;
    return `执行完成，有${count('stop')}个闲置主机被暂停：${named('stop')}；有${count('del')}个闲置主机被删除：${named('del')}`;
  }

  /** There are no containers yet. */
  runContainers(): string {
    return this.quiet.active ? HELD : '本版本没有容器功能，没有执行任何操作。';
  }

  private minute(now: Date): Date {
    return new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  }
}
