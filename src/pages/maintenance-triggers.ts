import { Injectable } from '@nestjs/common';

import { IdleRepository, idleSettings, isAnyOn, QuotaPauses, type QuotaKind } from '../hosting/index.js';
import { SiteSettings } from '../site/index.js';

import { TriggeredJob } from './triggered-job.js';

/** The measurement that `gn` names, and its name in the answer. */
const MEASURED: Record<string, { kind: QuotaKind; name: string }> = {
  web: { kind: 'web', name: '网页空间' },
  sql: { kind: 'database', name: '数据库空间' },
  fh: { kind: 'traffic', name: '流量' },
};
const OVERLAP = '上一次执行尚未结束，结束后会自动继续。';

/** Maintenance of hosts that a crontab may request. */
@Injectable()
export class MaintenanceTriggers {
  constructor(
    private readonly job: TriggeredJob,
    private readonly settings: SiteSettings,
    private readonly pauses: QuotaPauses,
    private readonly idle: IdleRepository,
  ) {}

  /** Runs the maintenance that `gn` names. @returns the answer to the caller */
  async run(gn: string): Promise<string> {
    if (gn === 'fhq') return '月流量由各服务器按月统计，无需清零，没有执行任何操作。';
    if (gn === 'ywjkdel') return this.processIdleHosts();
    return Object.hasOwn(MEASURED, gn) ? this.measure(MEASURED[gn]!) : '该功能不存在！';
  }

  private async measure({ kind, name }: { kind: QuotaKind; name: string }): Promise<string> {
    const before = new Set(await this.pauses.names(kind));
    const ran = await this.job.run('core:account-usage');
    if (ran === 'overlap') return OVERLAP;
    if (ran === 'unfinished') return '正在执行，主机较多，结束后暂停超额的主机。';
    const paused = (await this.pauses.names(kind)).filter((host) => !before.has(host));
    return `执行完成，有${paused.length}个主机由于${name}超过被暂停他们分别是：${paused.join('，')}`;
  }

  private async processIdleHosts(): Promise<string> {
    if (!isAnyOn(idleSettings(this.settings.current))) return '闲置主机处理未开启，没有执行任何操作。可在“设置 → 闲置主机”中开启。';
    const ran = await this.job.run('core:idle-hosts');
    if (ran === 'overlap') return OVERLAP;
    if (ran === 'unfinished') return '正在执行，主机较多，结果见“闲置主机”页面。';
    const done = await this.idle.doneSince(ran);
    const names = (action: string): string[] => done.filter((host) => host.done === action).map(({ username }) => username);
    const [stopped, deleted] = [names('stop'), names('del')];
    return (
      `执行完成，有${stopped.length}个闲置主机被暂停：${stopped.join('，')}；` +
      `有${deleted.length}个闲置主机被删除：${deleted.join('，')}`
    );
  }
}
